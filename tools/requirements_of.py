"""Print what extras of the installed package need, so that they can be installed without building the core again."""

import sys
from importlib.metadata import requires

for requirement in requires("chunkfast") or ():
    needed, _, marker = requirement.partition(";")
    if any(f'extra == "{extra}"' in marker for extra in sys.argv[1:]):
        print(needed.strip())
