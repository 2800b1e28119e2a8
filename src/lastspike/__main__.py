"""`python -m lastspike` is the `lastspike` command."""

from lastspike.cli import main

if __name__ == "__main__":
    main()
