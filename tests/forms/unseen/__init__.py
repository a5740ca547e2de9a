"""Systems of many fields that were written, with their lines, before anything was printed for them.

A module holds one round.  Those of the second and third at even places were looked at afterwards,
while the printing was mended; of the others only the count was.  Those of the fourth were all
looked at, after they had been counted.
"""

from . import first, fourth, second, third

FORMS = [*first.FORMS, *second.FORMS, *third.FORMS, *fourth.FORMS]
