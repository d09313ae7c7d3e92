"""``python -m stormwater_screen``: screen, check or cluster, without QGIS."""

from __future__ import annotations

import sys

from .command.main import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
