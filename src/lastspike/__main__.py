"""`python -m lastspike` is the `lastspike` command."""

from .cli import main

if __name__ == "__main__":
    main()
