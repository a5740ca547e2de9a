"""Words under which an equation is no claim that its sides are equal: about, if so, asked, wanted.

What is nearly so, so but for a term, so in another arithmetic or almost surely, asked, guessed or
demanded is not refuted by numbers at which the sides differ.
"""

from __future__ import annotations

import re

_ABOUT = (  # up to terms of higher order, near $a = 0$, as a rule of thumb
    r"up to (?:an? |the |some |their |its )?(?:\w+ ){0,2}(?:terms?|orders?|corrections?|constants?|"
    r"signs?|scal\w+|factors?|normali\w+|permutations?|rotations?|errors?|multipl\w+|phases?)|"
    r"(?:except|save|but) for (?:an?|the|some|terms?|constants?|factors?)|apart from|"
    r"modulo|mod|disregard\w*|"
    r"(?:dropp?|ignor|discard|forgett?|suppress|truncat|remov|leav)(?:s|ed|ing|e)?(?: out)? "
    r"(?:[\w-]+ ){0,4}?(?:terms?|powers?|constants?|factors?|orders?|corrections?|rest|what)|"
    r"higher[- ]order|taylor|(?:is|are|becomes?) (?:very )?(?:small|tiny|large|close|negligible)|"
    r"(?:near|around|close to) (?:the|zero|an?|it)|heuristic\w*|crude\w*|rule of thumb|"
    r"naive(?:ly)?|"
    r"loosely|schematic\w*|qualitativ\w*|formally|symbolically|abuse of notation|caricature|"
    r"mean[- ]field|continuum limit|in the (?:\w+ )?(?:limit|approximation|regime)|"
    r"back of the envelope|ballpark|in spirit|morally|essentially|effectively|practically|nearly|"
    r"almost"
)
_SENSE = (  # almost surely, as sets, in characteristic two
    r"in (?:expectation|distribution|probability|law|the mean)|"
    r"almost (?:surely|everywhere)|"
    r"as (?:sets|multisets|distributions|operators|modules|formal \w+)|in characteristic|"
    r"over the (?:field|ring|integers)|in (?:the )?units|with the normali[sz]ation|"
    r"on the (?:line|diagonal|boundary|axis|surface|circle|sphere|curve|plane)|on shell|"
    r"in (?:that|this|these|those|such an?|which|"
    r"the (?:first|second|latter|former|other|last)) cases?|"
    r"(?:at|for|in) the (?:\w+ )?(?:optimum|minimum|maximum|equilibrium|solution|boundary)|"
    r"(?<!\bso )in (?!(?:linear|matrix|vector|elementary|ordinary|usual|plain|our|the usual|real) )"
    r"(?:[a-z-]+ ){1,2}(?:algebra|arithmetic|logic|semirings?|calculus)|"
    r"for (?!(?:square|real|complex|any|all|general|arbitrary|two|three|random|large) )(?:[a-z-]+ )"
    r"(?:matrices|operators|quaternions|permutations)|"
    r"(?:new|another|own|different|modified) (?:product|operation|sum|addition|multiplication|"
    r"operator)"
)
_ASKED = (  # is it true that, we want to find $a$ such that, the conjecture is
    r"(?:is|was|can|could|may|might|should|does) (?:it|this|that|one)(?: \w+)?"
    r"(?: (?:true|so|be|hold|the case))\b|"
    r"ask(?:s|ed|ing)?(?: \w+)? (?:whether|if|that|for)|wonder\w*|question|whether|conjectur\w*|"
    r"(?<!any )(?<!every )(?<!each )guess\w*|hop(?:e|es|ed|ing)|want\w*|wish\w*|would like|"
    r"demand\w*(?! (?:is|are|has|equals|function|curve|for|of|at|with)\b)|enforc\w*|desir\w*|"
    r"tempt\w*|students|beginners|many (?:people|authors|texts)|often (?:write|claim|say|believe)s?"
)
_WORDS = re.compile(
    rf"\b(?:{_ABOUT}|{_SENSE}|{_ASKED})\b|"
    r"\b(?:near|(?<!variance … )(?<!deviation … )(?<!width … )(?<!precision … )around|close to) …",
    re.IGNORECASE,
)
_SMALL = re.compile(  # for $|a| \\ll 1$, as $n \\to \\infty$
    r"(?<!\$)\$(?!\$)(?:(?!\\lim)[^$])*\\(?:(?:ll|gg)(?![A-Za-z])|to\s*(?:0|\\infty))[^$]*\$(?!\$)"
)
_SUBJECT = re.compile(  # the equation $$ x^2 = 1 $$ has two roots
    r"(?:^|[.;:]\s|\b(?:of|by|with|that|and)\s)\s*(?:the|this|an?)\s+(?:[a-z-]+\s+){0,2}"
    r"(?:equations?|conditions?|relations?|constraints?|roots?|solutions?|assumptions?|ansatz|claims?)"
    r"(?:\s+of)?[\s:]*$",
    re.IGNORECASE,
)


def loosely(words: str, last: str) -> bool:
    """Whether the words of its sentence, or the `last` ones with their formulas, say so."""
    behind = words.rsplit("…", 1)[-1]
    return bool(_WORDS.search(words) or _SUBJECT.search(behind) or _SMALL.search(last))


__all__ = ["loosely"]
