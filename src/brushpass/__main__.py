"""`python -m brushpass`: the command line."""

from __future__ import annotations

import sys


def main() -> None:
    """The console script. An interrupt that comes while the command line is loaded ends it in one line, too."""
    try:
        from brushpass.cli.main import main as run
    except KeyboardInterrupt:
        sys.stderr.write("brushpass: interrupted\n")
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
