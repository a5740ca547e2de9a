"""The command `symattn`: what it takes, and how it ends.

Exit codes: 0 all well, 1 a claim fell short, 2 the input could not be used.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from .. import __version__
from ..errors import SymattnError

WELL, SHORT, UNUSABLE = 0, 1, 2

NAME = "a derivation that `symattn list` shows, or a path to a .py, .md or .tex file"


class _Parser(argparse.ArgumentParser):
    """Says where help is, and has examples that keep their line breaks."""

    def __init__(self, *, examples: str, **kwargs: Any) -> None:
        kwargs["epilog"] = "examples:\n" + examples
        kwargs["formatter_class"] = argparse.RawDescriptionHelpFormatter
        super().__init__(**kwargs)

    def error(self, message: str) -> NoReturn:
        self.exit(UNUSABLE, f"{self.prog}: {message}\n  see {self.prog} --help\n")


def parser() -> argparse.ArgumentParser:
    """The commands and their options."""
    top = _Parser(
        prog="symattn",
        description="Derive, prove, check and compile formulas in index notation.\n\n"
        "exit codes: 0 all well, 1 a claim fell short, 2 the input could not be used",
        examples="  symattn list\n  symattn derive softmax_jacobian\n  symattn build -o pages",
    )
    top.add_argument("--version", action="version", version=f"symattn {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def command(name: str, text: str, examples: str) -> argparse.ArgumentParser:
        return commands.add_parser(
            name, help=text, description=text[0].upper() + text[1:] + ".", examples=examples
        )

    def formats(p: argparse.ArgumentParser, *choices: str) -> None:
        p.add_argument(
            "--format",
            choices=choices,
            default=choices[0],
            help=f"how it is printed (default: {choices[0]})",
        )

    def target(p: argparse.ArgumentParser, verb: str) -> None:
        p.add_argument("name", metavar="NAME", help=NAME)
        p.add_argument(
            "--wrt",
            nargs="+",
            metavar="X",
            default=[],
            help=f"{verb} gradients with respect to these tensors instead",
        )
        p.add_argument(
            "--output",
            metavar="Y",
            help="the output that the gradients start from "
            "(default: as in the file, or its last definition)",
        )
        p.add_argument(
            "--of",
            metavar="Y",
            help=f"with --wrt X: {verb} the Jacobian of Y with respect to X instead",
        )

    p = command(
        "list", "show the derivations there are", "  symattn list\n  symattn list --format json"
    )
    formats(p, "text", "json")

    p = command(
        "derive",
        "print what a file derives, with its steps",
        "  symattn derive attention_backward\n"
        "  symattn derive attention_backward --wrt Q K --format latex\n"
        "  symattn derive attention_backward --of A --wrt S\n"
        "  symattn derive my/own.py --format markdown\n"
        "  symattn derive christoffel --metric kerr.tex",
    )
    target(p, "derive")
    p.add_argument(
        "--metric",
        metavar="FILE",
        help="with christoffel: of the line element ds^2 = … in this Markdown or TeX file",
    )
    formats(p, "text", "latex", "markdown", "json")

    p = command(
        "check",
        "check every formula of documents",
        "  symattn check paper.tex notes/*.md\n"
        "  symattn check paper.tex --explain 120\n"
        "  symattn check paper.tex --format github",
    )
    p.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="a Markdown, TeX or text document, a folder of such, or - for standard input",
    )
    p.add_argument("-v", "--verbose", action="store_true", help="show every formula")
    p.add_argument(
        "--explain",
        type=int,
        metavar="LINE",
        help="show the proof or the counterexample of the formulas on this line",
    )
    p.add_argument(
        "--timeout",
        type=float,
        default=5.0,
        metavar="S",
        help="seconds for one formula; 0 for no limit (default: 5)",
    )
    p.add_argument(
        "--jobs",
        type=int,
        default=0,
        metavar="N",
        help="formulas of a long text at a time (default: one for each core, up to 8)",
    )
    p.add_argument("--seed", type=int, default=0, help="the seed of every random draw (default: 0)")
    p.add_argument(
        "--strict",
        action="store_true",
        help="exit with 1 for what is conditional or unproved, and for an equation that one slip "
        "separates from an earlier one for the same name",
    )
    formats(p, "text", "json", "github", "sarif")

    p = command(
        "compile",
        "write the JAX source of what a file derives",
        "  symattn compile attention_backward -o backward.py\n"
        "  symattn compile attention_backward --output O\n"
        "  symattn compile attention_backward --wrt Q --target numpy",
    )
    target(p, "compile")
    p.add_argument(
        "--target",
        choices=("jax", "numpy"),
        default="jax",
        help="what the source is written for (default: jax)",
    )
    p.add_argument(
        "--path",
        choices=("dense", "flash", "auto"),
        default="dense",
        help="how an output is computed; with --output (default: dense)",
    )
    p.add_argument("-o", dest="file", metavar="FILE", help="the file to write (default: print it)")
    p.add_argument("--passes", action="store_true", help="print what every pass does instead")

    p = command(
        "verify",
        "check every step, claim and number of derivations",
        "  symattn verify\n  symattn verify softmax_jacobian --seed 7\n"
        "  symattn verify my/own.py --format json\n"
        "  symattn verify --certificates softmax_jacobian\n"
        "  symattn verify --path flash attention_backward",
    )
    p.add_argument("names", metavar="NAME", nargs="*", help=NAME + " (default: all)")
    p.add_argument("--seed", type=int, default=0, help="the seed of every random draw (default: 0)")
    instead = p.add_mutually_exclusive_group()
    instead.add_argument(
        "--path",
        choices=("flash", "ring"),
        help="compare compiled functions along this path with the dense ones instead",
    )
    instead.add_argument(
        "--certificates",
        action="store_true",
        help="check the log of every proof by the second opinion instead",
    )
    formats(p, "text", "json")

    p = command(
        "build",
        "derive and check all derivations and write their pages",
        "  symattn build\n  symattn build softmax_jacobian\n  symattn build -o pages\n"
        "  symattn build --check\n  symattn build --plots --jobs 4",
    )
    p.add_argument(
        "names", metavar="NAME", nargs="*", help="derivations, of which the pages are written alone"
    )
    p.add_argument(
        "-o",
        dest="folder",
        metavar="DIR",
        default="docs/derivations",
        help="the folder of the pages (default: docs/derivations)",
    )
    p.add_argument(
        "--check",
        action="store_true",
        help="write nothing; exit 1 if a page differs from what would be written",
    )
    p.add_argument(
        "--jobs", type=int, default=0, metavar="N", help="at a time (default: one for each core)"
    )
    p.add_argument(
        "--fresh", action="store_true", help="examine what nothing changed in, too; keep no record"
    )
    p.add_argument("--plots", action="store_true", help="write the plots, too; needs symattn[plot]")
    formats(p, "text", "json")

    p = command(
        "bench",
        "measure, as ratios to a baseline in the same run",
        "  symattn bench\n  symattn bench import derive\n  symattn bench --format json\n"
        "  symattn bench check paper.tex notes.md\n  symattn bench clothes notes.md",
    )
    p.add_argument(
        "tables",
        metavar="TABLE",
        nargs="*",
        help="import, derive, … (default: all but hunt, which asks random questions); or check and "
        "the documents to inject slips into; or clothes and the documents to write in other ways",
    )
    hunt = p.add_argument_group("hunt", "random questions with known answers, in a checkout")
    hunt.add_argument(
        "--count", type=int, help="how many of each kind (default: 300); with check, slips in all"
    )
    hunt.add_argument("--seed", type=int, default=0, help="the first seed (default: 0)")
    hunt.add_argument("--kind", action="append", default=[], help="this kind only; may be repeated")
    hunt.add_argument("--processes", type=int, default=1, help="at a time (default: 1)")
    users = p.add_argument_group(
        "users and scores", "functions that people use, at three sizes; scores of attention"
    )
    users.add_argument("--name", action="append", default=[], help="those with this in their name")
    users.add_argument(
        "--size", action="append", default=[], choices=("small", "middle", "large"),
        help="this size only; may be repeated",
    )  # fmt: skip
    formats(p, "text", "json")
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and gives its exit code."""
    asked = parser()
    options, more = asked.parse_known_args(argv)
    if more and (options.command != "bench" or any(word.startswith("-") for word in more)):
        asked.error(f"unrecognized arguments: {' '.join(more)}")
    elif more:
        options.tables += more  # symattn bench check --count 20 paper.tex
    from . import commands

    try:
        code: int = getattr(commands, options.command + "_")(options)
        sys.stdout.flush()
    except SymattnError as error:
        print(f"symattn: {error}", file=sys.stderr)
        return UNUSABLE
    except OSError as error:
        if isinstance(error, BrokenPipeError):  # the reader of a pipe has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return WELL
        print(f"symattn: {error.filename or error}: {error.strerror}", file=sys.stderr)
        return UNUSABLE
    except KeyboardInterrupt:
        print("symattn: stopped", file=sys.stderr)
        return 130
    return code
