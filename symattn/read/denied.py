"""What words deny or doubt of a formula: we do not assume $a = b$, $x > 0$ need not hold."""

from __future__ import annotations

import re

_BEFORE = re.compile(  # in the clause before it
    r"\b(?:not|never|cannot|nowhere|neither|rarely|seldom|hardly|doubtful|unclear|unknown|whether|"
    r"nothing (?:says|tells|suggests|implies|guarantees|ensures|forces|means)|"
    r"no (?:reasons?|need|assumptions?|guarantees?|longer|way|sense)|"
    r"(?:drop|lift|relax|remov|abandon|discard)\w*(?: \w+){0,2} "
    r"(?:assumption|condition|restriction)|"
    r"without(?! (?:loss|lack)\b)"
    r"(?! (?:the |an? |any )?(?!\w+ing\b)\w+ (?:the|its|we|one)\b)|"  # without noise the sum is
    r"refrain\w*|avoid\w*|far from|"
    r"(?<!no )(?<!without )doubt(?:s|ed)?\b|"
    r"(?:wrong|mistaken|false|tempting|incorrect|untrue) (?:to|that)|"
    r"(?:nice|convenient|easier|simpler|helpful|good|tempting) (?:if|to)\b"
    r"(?! (?:introduce|define|write|denote|abbreviate|rewrite|express|work|collect)\b)|"
    r"(?:would|could|might) (?:like|want|wish|hope|be)|"
    r"other (?:authors|papers|texts|works|books|people|sources))\b[^.;:,]{0,80}$|"
    r"n't\b[^.;:,]{0,80}$",
    re.IGNORECASE,
)
_HELD = (
    r"(?:hold|apply|follow|be (?:the case|true|so|met|satisfied|needed|required|assumed|used|"
    r"given)|true|so|the case|assumed|required|needed|necessary|used|known|given|imposed|met|"
    r"satisfied|clear|guaranteed|made|granted|ours|always)\b"
)
_BEHIND = re.compile(  # right behind it, as its verb
    r"^[^.;:,?]{0,40}?(?:"
    rf"\b(?:need|does|do|may|might|can|must|should|will|would|is|are|was|be)(?:n't| not| never) "
    rf"(?:\w+ ){{0,2}}?{_HELD}"
    rf"|\bcannot (?:\w+ )?{_HELD}|\b(?:is|are) (?:nowhere|hardly|rarely|seldom) (?:\w+ )?{_HELD}"
    r"|\b(?:may|might|can|could|will|often|usually|sometimes|generally) (?:well )?fail\b|\bfails\b"
    r"(?! to)"
    r"|\b(?:is|are|would be)(?: \w+)? (?:false|wrong|untrue|unclear|unknown|doubtful|unnecessary|"
    r"superfluous|incorrect)\b(?! (?:to|that)\b)"
    r"|\bno longer holds\b)"
    r"|^\W*\?"  # is it so that $a = b$?
    r"|^[^.:]{0,60}?[;,?.]\s*(?:but |and |yet |though |although |which )?(?:we|this|that|it|they)?"
    r" ?(?:do|does|is|are|did|need)(?:n't| not)"
    r"(?: (?:so|true|hold|here|do so|need (?:it|this)|assume (?:it|this|that)))*\s*(?:[.;,]|$)"
    r"|^[^.:]{0,60}?[;,] (?:but|though|yet) (?:wrong\w*|false\w*|not|mistaken\w*|incorrect\w*)\b",
    re.IGNORECASE,
)


def denied(before: str, behind: str) -> bool:
    """Whether the words of its sentence before or behind a formula leave open that it holds."""
    return _BEFORE.search(before) is not None or _BEHIND.search(behind) is not None


__all__ = ["denied"]
