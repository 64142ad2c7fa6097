"""python -m tact: the program."""

import os
import sys

from ._show import program


def main() -> None:
    """Becomes the program `tact`, with the same arguments."""
    os.execv(program(), ["tact", *sys.argv[1:]])


if __name__ == "__main__":
    main()
