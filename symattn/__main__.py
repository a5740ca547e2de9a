"""`python -m symattn` is the command `symattn`."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
