r"""What a sentence asserts by its words, and how a later one takes it back.

An equation is asserted where its clause says it of the matter itself: not where it may be so, where
others say it, where it once was so, where it is denied, asked or wished, is one of two, or holds
of some thing only.  What is asserted is taken back by a later sentence that speaks of it (with a
word of it, or with *this*) and says that it does not hold, is not used, or is over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..read.vocabulary import words
from .frames import any_of
from .subjects import kin, open_words


def _words(*said: str) -> re.Pattern[str]:
    """One of these phrases; of plain words, whole ones."""
    return any_of(*(rf"{x}\b" if re.fullmatch(r"[A-Za-z ]+", x) else x for x in said))


_PEOPLE = (
    r"(?:authors|students|people|textbooks?|texts|papers|books|sources|beginners|critics|"
    r"colleagues?|engineers|physicists|economists|statisticians|practitioners|newcomers|forums?|"
    r"blogs?|lecturers|teachers|course|press|folklore|legend|tradition|literature|manuals?|vendor|"
    r"manufacturer)"
)
_COUNTED = re.compile(  # the shares of infected and recovered people, who say nothing
    rf"\b(?:shares?|numbers?|fractions?|proportions?|percentages?|counts?|densit(?:y|ies)|groups?|"
    rf"populations?|cohorts?) of (?:(?!which|whom)[\w-]+,? ){{0,6}}{_PEOPLE}\b",
    re.IGNORECASE,
)
_MAY_WRITE = (  # may be written, and is so
    r"(?! (?:also |now |thus |then |therefore |equally )?(?:be )?(?:write|written|assume|take|put|"
    r"set|use|express\w*|rewrit\w+|read|see|expand))"
)
_FORCES = {
    "what may not be so": _words(
        "perhaps", "maybe", "possibly", "probably", "presumably", "conceivably", "hopefully",
        "ideally", "supposedly", "allegedly", "reputedly", "ostensibly", "seemingly", "typically",
        "usually", "often", "sometimes", "approximately", "roughly", "nearly", "whether",
        r"pretend\w*\b", r"jok(?:e|es|ing|ingly)\b", r"in jest\b", "placeholder", r"dummy\b",
        r"(?:design goal|original plan|proposals?|proposed)\b", "to be confirmed", "TODO", "TBD",
         r"rumou?rs?\b", "hearsay", "gossip", r"myth\b", "legend has",
        r"guess(?:ed|es)?\b", "hunch", r"suspect(?:ed|s)?\b", "suspicion",
        r"conjectur\w*\b", r"speculat\w*\b", r"hypothesi[sz]e\w*\b",
        "if only",
        r"(?<!by )hypothes[ie]s … (?:is|was)\b", r"(?:null )?hypothesis …", r"fancy\b", "ought to",
        r"doubt(?:s|ed|ful)\b", r"I doubt\b", r"wonder(?:s|ed)?\b", r"hopes? that\b", r"wish\w*\b",
        r"(?:we|I|one|you|they|would|could|might|to) hope\b", r"dream\w*\b", r"fear(?:s|ed)?\b",
        r"believ(?:e|es|ed)\b", r"(?:we|I|one|you|they|people|who) think\b",
        r"thought (?:that|to)\b", r"imagin(?:e|ed|ing)\b", rf"(?:might|could|may)\b{_MAY_WRITE}",
        r"would\b(?! (?:like|need|want) to (?:find|compute|know|show|minimi[sz]e|maximi[sz]e))",
        r"suggest(?:s|ed)?\b", r"almost\b(?! (?:surely|everywhere|every))",
        r"in (?:some|many|most) cases\b", r"(?:in )?hope of\b",
        r"(?:first|initial|wild|bad|educated) (?:guess|attempt|try)\b",
        r"one (?:possibility|option|alternative|candidate|suggestion|idea)\b",
        r"(?:want|wants|wanted|desire[ds]?)\b\W*(?:to |that |have )*…",
        r"(?:goal|aim) is (?:to|that)\b",
        r"(?:to show|to prove|suffices?|sufficient|necessary|enough|rule of thumb|"
        r"we (?:need|want|approximate)|is tested|rejected)\b\W*(?:that |if |by |to (?:show|prove|"
        r"have) )?…",
    ),
    "what others say": _words(
        rf"{_PEOPLE}\b[^…]*…", r"(?:mis)?printed (?:as|wrongly)\b",
        r"(?:some|other|many|most|several|few) (?:of us |of them )?(?:write|say|use|claim|"
        r"define)\b",
        r"(?:claims?|claimed|asserts?|asserted|swears?|swore|insists?|insisted|maintains?|alleges?|"
        r"alleged|told|tells|tell|heard|argues?|argued|state[sd]|quoted?|read) "
        r"(?:me |us |him |her |you )?(?:that|of|to be)\b",
        r"it (?:says|is said|was said|is claimed|is told)\b",
        r"(?:believ|thought|claim|mistak|guess)(?:ed|es|en)? (?:that|to be)\b",
        rf"according to (?:the |some |many )?(?:{_PEOPLE}|(?-i:[A-Z]))",
        r"(?:naive|naïve|sloppy|careless|hasty)(?:ly)?\b",
        r"(?:earlier|old|older|previous|former|outdated|superseded) (?:version|draft|edition|"
        r"formula|theory|notation|convention|definition|model|textbook|paper|literature)",
    ),
    "what once was so": _words(
        "historically", "formerly", "once upon", "in the past", "back then", "yesterday",
        r"used to (?:be|hold|have|teach|say|write|think|believe|assume|define|satisfy|equal|"
        r"follow|obey|pay|use)\b", r"(?:for|in|at|under|with) the [^…]*\bhad …",
        r"in (?:former|earlier|older|the old|bygone) (?:times|days|years|decades|versions?)\b",
        r"(?:last|previous) (?:year|month|week|term|semester|century|season)\b",
        r"until (?:recently|then|now|last|\d)",
    ),
    "what is denied": _words(
        "nobody", "no one", "never", "not both", "neither", "hardly", "scarcely", "rarely",
        "seldom", "by mistake", "in error", "far from", "rather than", "instead of", "unlike",
        "contrary to", "as opposed to", "opposed to …", r"in contrast (?:to|with)\b", "misprint",
        "typo", "slip of the pen", r"(?:mistaken|erroneous|wrong|false)ly\b",
        r"(?:wrong|incorrect|mistaken|false) (?:\w+ )?(?:answers?|formulas?|ideas?|rules?|results?|"
        r"assumptions?|versions?|equations?|claims?|statements?)\b",
        r"(?:frequent|common|typical) (?:mistake|error|slip)", r"too \w+ (?:to|for)\b",
        r"(?:not|n't|cannot|no longer) (?:\w+ )?(?:hold|true|apply|valid|assume|so|the case|have|"
        r"satisf\w+|obey|follow|fulfil\w*|equal|share|use|used|known|rely|claim|imply|mean that)\b",
        r"(?:is|are|was|were|been|be|being) (?:\w+ )?(?:crossed|struck|commented|deleted|withdrawn|"
        r"retracted|refuted|disproved|abandoned|discarded|dropped|rejected|superseded)\b",
        r"(?:had|were) (?:we|it|they|there|the)\b[^…]*…",
    ),
    "what is so of some only": _words(
        "unless", "outside of",
        r"only (?:for|if|when|in|at|on|under|with|where|once|after|before)\b", "there …",
        r"for some\b[^…]*…",
        r"there (?:is|exists?|are|may be|can be|must be) (?:an?|some|one|exactly one|at least "
        r"one)\b[^…]*…", r"(?:exactly|at (?:least|most)) one of\b[^…]*…",
    ),
}  # fmt: skip
_OF_TWO = re.compile(  # … iff …, … or …, and a question
    r"…,?\s*(?:iff|if and only if|exactly (?:when|if)|precisely (?:when|if)|only if|unless)\s"
    r"[^…]*…|…,?\s+or\s+(?:else\s+)?(?:…|that\b)|\?\s*$|\beither …",
    re.IGNORECASE,
)
_EXCEPT = re.compile(  # which may stand in another clause
    r"\b(?:except(?:ing)?|(?:apart|aside) from|save (?:for|at|in)|excluding|barring|"
    r"with the exception of|(?:all|each|every|any|none)\b[^…]*? but (?:for|the|one)|"
    r"only(?=\s*(?:[.;]|$)))\b",
    re.IGNORECASE,
)
_CLAUSES = re.compile(r"\s*(?:[;()]|[,:](?=\s)|—|–|--|\b(?:but|although|though|whereas)\b)\s*")
_LED = re.compile(
    r"\W*(?:[\w'-]+\W*){1,3}$|\W*(?:in|for|at|on|under|if|when|unless|once|before|after|"
    r"until|while|except|only|as)\b",
    re.I,
)
_HAS_WORDS = re.compile(r"[A-Za-z]")
_ASIDE = re.compile(r"\W*(?:rather than|instead of|unlike|contrary to|as opposed to)\b", re.I)
_THIS = re.compile(
    r"\b(?:this|that|it|these|those|they|such|so|here|"
    r"the (?:same )?(?:assumption|formula|equation|relation|identity|definition|condition|property|"
    r"hypothesis|rule|law|result|claim|idea|guess|ansatz|approximation|convention|simplification|"
    r"statement|supposition|premise|value|choice|gauge|model|restriction)s?)\b",
    re.IGNORECASE,
)
_NOT = (
    r"(?:not|n't|cannot|can't|no|never|no longer|hardly(?: ever)?|rarely|seldom|scarcely|nowhere|"
    r"neither|nobody|nothing)"
)
_OVER = _words(  # what is so no longer, or never was
    rf"{_NOT}\b(?: \w+){{0,3}} (?:holds?|held|true|appl(?:y|ies)|valid|so|the case|assum\w+|"
    r"available|used?|using|satisf\w+|fulfil\w*|admissible|allowed|justified|legitimate|rely|"
    r"relied|support\w*|mention\w*|confirm\w*|expected|realistic|correct|right|perfect|believe|"
    r"needed?|an option|in force|share|follow\w*)\b",
    rf"{_NOT} (?:longer|such|more|assumptions?|evidence|reason)\b",
    r"(?:given up|abandon(?:s|ed|ing)?|drop(?:s|ped|ping)?|discard(?:s|ed|ing)?|"
    r"reject(?:s|ed|ing)?|relax(?:es|ed|ing)?|lift(?:s|ed|ing)?|withdr[ae]wn?|retract(?:s|ed)?|"
    r"repealed|revoked|superseded|obsolete|outdated|crossed out|struck out|inadmissible|"
    r"unjustified|unrealistic|untenable|breaks? down|broke down|violated|"
    r"contradict\w*|deviates?|expired|lost|ceases?|ceased|disagrees?|cannot rely|replaced by)\b",
    r"(?:is|was|were|are|turn(?:s|ed)? out(?: to be)?|proves?(?: to be)?|proved) (?:\w+ )?"
    r"(?:false|wrong|incorrect|untrue|mistaken|unrealistic|absurd|impossible|over|behind us)\b",
    rf"{_NOT} like (?:that|this|it)\b", "enough of", "far from", "anything but", "forget",
    r"(?:this|that|it|which|relation|law|rule|formula|equation) (?:then )?fail(?:s|ed)\b",
    r"(?:this|that) was\b", r"(?:lay|laid|lays) (?:this|it|that) to rest\b", "as it is",
    r"in (?:reality|truth|fact|actuality|practice)\b", "actually",
    r"(?:from|as of|since) (?:Chapter|Part|Section|Lecture|version) \w+ on\b",
)  # fmt: skip
_RETURNS = _words(
    r"(?:return|returning|go|come|turn|back) (?:back )?to the (?:main|general|original|full)\b",
    r"(?:un|not )related\b",
)
_DENIED = re.compile(  # not lump-sum, never perfect
    rf"\b{_NOT}\s+(?:(?:ever|always|even|quite|necessarily|be|an?|the)\s+){{0,2}}"
    r"(?P<what>[A-Za-z][\w-]*)",
    re.IGNORECASE,
)
_BARELY = words(  # what many sentences have, and refers to nothing
    "model case value values form term terms equation equations function matrix vector number time "
    "sum product result point system data variable variables side sides order first second"
)


def clause(said: str, at: int) -> str:
    """The clause of a place in a sentence, behind the words that the sentence begins with.

    A formula between commas belongs to the clause before it, and no clause to what a *rather than*
    in front of it says.
    """
    cuts = [m.span() for m in _CLAUSES.finditer(said)]
    end = min((a for a, _ in cuts if a > at), default=len(said))
    starts = [0, *(b for _, b in cuts if b <= at)]
    while len(starts) > 1 and not _HAS_WORDS.search(said[starts[-1] : end]):
        starts.pop()
    start = starts[-1]
    lead = said[: cuts[0][0]] if cuts and cuts[0][0] < start else ""
    led = _LED.match(lead) and "…" not in lead and not _ASIDE.match(lead)
    return (f"{lead}, " if led else "") + said[start:end]


def force(said: str, of: Iterable[int]) -> str:
    """Why a sentence does not assert what it says at these places; empty where it does."""
    asserted = _COUNTED.sub(lambda counted: "-" * len(counted[0]), said)
    for told in (clause(asserted, at) for at in of):
        for why, pattern in _FORCES.items():
            if pattern.search(told):
                return why
    if _EXCEPT.search(said):
        return "what is so of some only"
    return "what may not be so" if _OF_TWO.search(said) else ""


def denies(said: str) -> bool:
    """A sentence says that something is not so."""
    return _OVER.search(said) is not None or _DENIED.search(said) is not None


def takes_back(later: str, own: Iterable[str], loose: bool = True) -> bool:
    """A later sentence speaks of what one with these words says, and that it is not so.

    Of a loose one, a supposition or a tie of names, it may as well deny a word: not lump-sum.
    """
    plain = [w for w in own if w not in _BARELY]
    if _RETURNS.search(later):
        return True
    if _OVER.search(later) is None:
        return loose and any(kin(plain, open_words(m["what"])) for m in _DENIED.finditer(later))
    return _THIS.search(later) is not None or kin(plain, open_words(later))


__all__ = ["clause", "denies", "force", "takes_back"]
