"""What the page's worker needs of Pyodide: Python, and the parts of its library that are used."""

from __future__ import annotations

import json
import zipfile
from io import BytesIO
from pathlib import Path

from .python_part import archive

AS_THEY_ARE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
LIBRARY = "python_stdlib.zip"
LOCK = "pyodide-lock.json"

UNUSED = (
    "_pydatetime.py",  # which Python has in C
    "_pydecimal.py",
    "_pyio.py",
    "_pyrepl/",
    "_strptime.py",
    "argparse.py",
    "bdb.py",
    "cProfile.py",
    "cmd.py",
    "code.py",
    "configparser.py",
    "ctypes/",
    "curses/",
    "dbm/",
    "doctest.py",
    "ensurepip/",
    "ftplib.py",
    "html/",
    "http/cookiejar.py",
    "http/cookies.py",
    "http/server.py",
    "idlelib/",
    "imaplib.py",
    "lib2to3/",
    "logging/config.py",
    "logging/handlers.py",
    "mailbox.py",
    "mimetypes.py",
    "modulefinder.py",
    "multiprocessing/",
    "optparse.py",
    "pdb.py",
    "pickletools.py",
    "plistlib.py",
    "poplib.py",
    "pprint.py",
    "profile.py",
    "profiling/",
    "pstats.py",
    "pydoc.py",
    "pydoc_data/",
    "sched.py",
    "smtplib.py",
    "sqlite3/",
    "tabnanny.py",
    "telnetlib.py",
    "test/",
    "timeit.py",
    "tkinter/",
    "trace.py",
    "turtle.py",
    "turtledemo/",
    "unittest/",
    "venv/",
    "wave.py",
    "webbrowser.py",
    "wsgiref/",
    "xml/",
    "xmlrpc/",
    "zipapp.py",
)
"""Parts of Python's library that a game can't reach."""


def pyodide_files(folder: Path) -> dict[str, bytes]:
    """The files to serve, from the folder of the npm package `pyodide`."""
    lock = json.loads((folder / LOCK).read_text("utf-8"))
    return {
        **{name: (folder / name).read_bytes() for name in AS_THEY_ARE},
        LIBRARY: _library((folder / LIBRARY).read_bytes()),
        # Without packages: it would offer 300 from elsewhere.
        LOCK: json.dumps({**lock, "packages": {}}).encode(),
    }


def _library(whole: bytes) -> bytes:
    with zipfile.ZipFile(BytesIO(whole)) as library:
        names = (name for name in library.namelist() if not name.endswith("/"))
        return archive({name: library.read(name) for name in names if not name.startswith(UNUSED)})
