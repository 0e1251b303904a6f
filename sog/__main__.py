"""`python -m sog` is the command `sog`."""

import sys

from sog.interfaces.cli import main

if __name__ == "__main__":
    sys.exit(main())
