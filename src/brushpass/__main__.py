"""`python -m brushpass`: the command line."""

from __future__ import annotations

from brushpass.cli.main import main

main()
