"""What the words before a formula say of it: that it follows, is the same, or is another.

They are those of a sentence or a paragraph, with … for formulas.
"""

from __future__ import annotations

import re

_SO = re.compile(
    r"\b(?:so|thus|hence|therefore|equals?|equivalent\w*|written|rewrit\w*|becomes?|also|expand\w*|"
    r"simplif\w*|follow\w*|identit\w*|same|yields?|gives?|in terms of|obtain|have|get|finds?|"
    r"that is)\b|\b(?:this|that|which) (?:is|reads|amounts to)[\s:,]*$",
    re.IGNORECASE,
)
_STRONG = re.compile(
    r"\b(?:so|thus|hence|therefore|then|equals?|equivalent\w*|written|rewrit\w*|expand\w*|simplif\w*|"
    r"identit\w*|same|in terms of|follows from|it follows|that is)\b",
    re.IGNORECASE,
)
_REFORMED = re.compile(  # it is what stands there already, in another form
    r"\b(?:(?:re)?writ(?:e|es|ing|ten)|express\w*|spell\w*)(?: out)?\b"
    r"(?=[^.]*\b(?:as|with|in|by|using|out|this|it)\b)|"
    r"\bmultipl(?:y|ying|ied) (?:it |this )?out\b|\bcompleting (?:the|a) square\b|"
    r"\bin (?:the |these |new |\w+ )?(?:coordinates|variables|basis)\b|"
    r"\b(?:(?:expand|insert|substitut|rearrang|collect|"
    r"eliminat)\w*|plug(?:ging|ged)?|factor(?:ing|ed|i[sz]ing))\b|"
    r"\b(?:in|into|of) (?:a |an |the )?(?:\w+ )?(?:other|another|different|equivalent|alternative|"
    r"matrix|vector|index|component|closed|full|short|compact|expanded|factored)"
    r"(?: \w+)? (?:forms?|ways?|notation|words)\b|"
    r"\bin (?:full|components|short|terms of|other words|"
    r"(?:matrix|vector|index) (?:form|notation))\b|"
    r"\b(?:several|two|various|many|other) (?:forms|ways)\b|\balternatively\b",
    re.IGNORECASE,
)
_PLACED = re.compile(
    r"\b(?:coordinates|variables|components|basis|in terms of|notation)\b", re.IGNORECASE
)
_SPECIAL = re.compile(  # what is put in is one value of many
    r"\b(?:optim\w*|minim\w*|maxim\w*|best|worst|initial|final|boundary|ground|equilibri\w*|"
    r"stationar\w*|steady|trivial|zero|limit\w*|special|extrem\w*|particular|value|values|"
    r"(?:^|,\s*)(?:for|on|at|when|without|under) (?!later|convenience|brevity|clarity|completeness|"
    r"reference|simplicity)|case|solution|first|second|lowest|leading|order|only|alone|free|no|rest|top|bottom)\b",
    re.IGNORECASE,
)
_FORM = re.compile(  # another form of a thing is no other thing
    r"\b(?:an)?other (?:(?:equivalent|useful|common|simple|nice) )?"
    r"(?:forms?|ways?|words|expression)|"
    r"\b(?:(?:re)?written|expressed|spelled out|writ(?:e|ing)(?: (?:it|this|that))?) with|"
    r"\balternative(?:ly)?(?= (?:form|expression|way)|,)|"
    r"\b(?:with|in) (?:\w+ )?(?:notation|form)\b|"
    r"\b(?:the|its) (?:[a-z-]+ ){1,2}form (?:is|reads)\b",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"\s*,?\s*which\b", re.IGNORECASE)  # …, which depends on x alone:
_NUMBERED = re.compile(  # $a$ exposed cases: how many there are
    r"…\s+(?!(?:two|three|four|several|some|many|various|possible|different)\b)"
    r"(?:[a-z]+\s+)?[a-z]+s\b",
    re.IGNORECASE,
)
_SOLVED = re.compile(
    r"\b(?:solv\w+ for|invert(?:ing|ed)|conversely|(?:from|by) which|rearrang\w+|in terms of)\b",
    re.IGNORECASE,
)
_RECALL = re.compile(
    r"\b(?:recall\w*|remember\w*|again|once more|as (?:above|before|earlier)|"
    r"as (?:defined|given|stated|introduced|derived|seen|shown) (?:above|before|earlier|in)|"
    r"(?:from|by|see|of|in|with) (?:\\eqref|\\ref|(?:\\?[Ee]q\w*\.?|[Ee]quation)?[\s~]*\(\d+\)))",
    re.IGNORECASE,
)
_OTHERWISE = re.compile(  # what is said again is changed on purpose; a friction factor is not
    r"\b(?:but|now|instead|modif\w*|replac\w*|with(?:out)?|add\w*|drop\w*|ignor\w*|generali[sz]\w*|"
    r"exten\w*|extra|varia(?:nts?|tions?)|similar\w*|analog\w*|like(?:wise)?|new(?:ly)?|another|"
    r"different(?:ly)?|rather|chang\w*|"
    r"redefin\w*|becomes?|updat\w*|unlike|alternativ\w*|other|negativ\w*|minus|sign|convention\w*|"
    r"(?:an?|by)(?: \w+)? factor|(?:the|this|one) factor|factors? of|up to|"
    r"(?:re)?scal(?:e[ds]?|ing)|normali[sz]\w*|transpos\w*|version|"
    r"twice|doubl\w*|hal(?:f|v\w*)|of (?:them|these|those)|"
    r"includ(?:es?|ing|ed)(?! (?:only|the (?:first|second|last) (?:line|equation)))|"
    r"(?:account|allow)(?:s|ed|ing)? for|into account|in (?:reality|truth)|"
    r"more (?:precise|accurate|exact|general|realistic)(?:ally|ly)?)\b",
    re.IGNORECASE,
)
_LISTED = re.compile(  # two functions are, but not two ways to write it
    r"\b(?:examples?|choices|kinds|variants|cases|(?:two|three|four|several|some|many|various|common|"
    r"typical|possible|different)\s+(?:\w+\s+){0,2}?"
    r"(?!ways|forms|steps|is|has|as|this|expressions|relations|identities|properties|equations|"
    r"terms|sums|parts|results|facts)\w+s)\b",
    re.IGNORECASE,
)
_CHOSEN = re.compile(
    r"\b(?:we|one)\s+(?:use|choose|take|adopt|define|pick|rescale)\b", re.IGNORECASE
)
_ANOTHER = re.compile(  # the unbiased estimator is
    r"(?:^|[.,;:]\s|\b(?:and|but|while)\s)\s*(?:the|an?)\s+(?:[a-z-]+\s+){1,5}"
    r"(?:is|are|has|have|reads?|equals?)\b[^…]*$",
    re.IGNORECASE,
)
_SEVERAL = re.compile(  # two equal stages give
    r"(?:^|[.:;\n]|…)\s*(?:two|three|four|several|many|most)\s+"
    r"(?!(?:applications?|steps?|lines?|terms?|integrations?|substitutions?)\b)"
    r"(?:[a-z-]+\s+){1,4}(?:give|yield|have|need|make)\b[^…]*$",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"(?<=…)([\s,]*(?:and\s+)?)with(?=\s+…)")  # E = … with A = …: where A is
_UNDER = re.compile(r"(?:^|[.,;:]\s*)(?:under|in the presence of|for the|in a)\b", re.IGNORECASE)
_RESULT = re.compile(r"\b(?:theorem|proposition|lemma|corollary)\b", re.IGNORECASE)
_WOULD = re.compile(r"\b(?:would|could|might|instead|if)\b", re.IGNORECASE)
_FROM = re.compile(r"\b(?:from|since|because|using|recall)\s*$", re.IGNORECASE)  # $O = A V$:


_IS = re.compile(r"\s*(?:(?:of|in|for|on|at)\s+[a-z][\w\s-]*)?\b(?:is|are|equals?)\s*:?\s*")


def equates(words: str) -> bool:
    """Between two formulas they say that these are one: of the orbit is."""
    return _IS.fullmatch(words) is not None and not _otherwise(words)


def follows(words: str) -> bool:
    """It follows from what stands before it."""
    known = _SO.search(words) or _RELATIVE.match(words)
    return bool(known) or reformed(words) or _only(words) == "then"


def same(words: str) -> bool:
    """It is the same as what stands before it."""
    known = _STRONG.search(words) or _RELATIVE.match(words)
    return (bool(known) and not _otherwise(words)) or reformed(words)


def reformed(words: str) -> bool:
    """It is what stands before it in another form, and at no values in particular."""
    words = _last(words)
    return bool(_REFORMED.search(words)) and not _SPECIAL.search(words) and not _otherwise(words)


def solved(words: str) -> bool:
    """What stands before it is solved for a name."""
    return bool(_SOLVED.search(words)) and not _otherwise(words)


def put_in(words: str) -> bool:
    """Something is put into it, which may have values of its own, or a series is cut off."""
    return bool(re.search(r"\b(?:insert|substitut|plug|eliminat|expan)", words, re.IGNORECASE))


def recalled(words: str, behind: str) -> bool:
    """It is what was said before, unchanged."""
    said = _RECALL.search(words) or (_FROM.search(words) and not _WOULD.search(behind))
    return bool(said) and not _otherwise(words)


def another(words: str) -> bool:
    """It is what was said before with a change, or another thing."""
    words = re.sub(r"\b[Ww]ith\b", " ", words)
    return _otherwise(words) or bool(_ANOTHER.search(_FORM.sub(" ", words)))


def lists(words: str) -> bool:
    """Several things of one name come after it."""
    return _LISTED.search(_NUMBERED.sub(" ", words)) is not None and not reformed(words)


def changed(words: str) -> bool:
    """Something is made another way."""
    return _otherwise(words) or bool(_CHOSEN.search(words))


def altering(words: str) -> bool:
    """It is of a thing that another one is put into: with friction, under the linear law."""
    return _otherwise(words) or bool(_UNDER.search(words))


def several(words: str) -> bool:
    """So many things of a kind make it: two equal stages give."""
    return _SEVERAL.search(words) is not None


def called_result(words: str) -> bool:
    """It is called a theorem."""
    return bool(_RESULT.search(words))


def _last(words: str) -> str:
    """The words behind the last formula where these alone say it: …, which can be written as."""
    behind = words.rsplit("…", 1)[-1]
    return behind if _REFORMED.search(behind) else words


def _otherwise(words: str) -> bool:
    words = _CLAUSE.sub(r"\1where", _FORM.sub(" ", words))
    if _PLACED.search(words):  # in polar coordinates it becomes
        words = re.sub(r"\bbecomes?\b", " ", words)
    return bool(_OTHERWISE.search(words))


def _only(words: str) -> str:
    return re.sub(r"[^A-Za-z]+", " ", words).strip().lower()


__all__ = [
    "altering",
    "another",
    "called_result",
    "changed",
    "equates",
    "follows",
    "lists",
    "recalled",
    "reformed",
    "same",
    "several",
    "solved",
]
