"""python -m tact: the program."""

import os
import sys

from ._show import program

if __name__ == "__main__":
    path = program()
    os.execv(path, ["tact", *sys.argv[1:]])
