"""The command `sog`: reads the arguments, imports the one command asked for, and runs it.

Nothing heavy is imported before a command is chosen, so that `sog --help` answers at once. Input that cannot
be used ends in one line on standard error and exit status 2; anything else that goes wrong is a defect and
shows its traceback.

Verified: tests/interfaces/cli/test_cli.py.
"""

import errno
import gc
import importlib
import os
import sys
import warnings
from collections.abc import Sequence
from typing import TextIO

from sog.core.errors import InputError, InputWarning
from sog.interfaces.cli.arguments import FAILED, INTERRUPTED, group_options, make_parser, module_of
from sog.interfaces.output import shorten

BAD_INPUT = 2
_MAX_LINE = 400
_YOUNG_OBJECTS = 100_000  # imports and trees make objects that stay: looking for garbage often is lost time
_usual_warning = warnings.showwarning
_BAD_PATHS = (
    errno.EACCES,
    errno.EPERM,
    errno.ENAMETOOLONG,
    errno.ELOOP,
    errno.ENOTDIR,
    errno.EISDIR,
    errno.EROFS,
)
_LOST_OUTPUT = (errno.EPIPE, errno.ENOSPC, errno.EIO)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status.

    >>> main(["show", "no-such-game"])
    2
    """
    gc.set_threshold(_YOUNG_OBJECTS, 20, 100)
    warnings.showwarning = _show_warning
    try:
        status = _run(arguments)
        sys.stdout.flush()
        return status
    except InputError as error:
        _complain(str(error))
        return BAD_INPUT
    except KeyboardInterrupt:
        _complain("interrupted")
        return INTERRUPTED
    except OSError as error:
        if error.errno in _BAD_PATHS and error.filename is not None:
            _complain(f"cannot use {shorten(str(error.filename), 120)}: {error.strerror}")
            return BAD_INPUT
        if error.errno not in _LOST_OUTPUT:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing more can be written
        if error.errno != errno.EPIPE:  # otherwise whoever reads our output has seen enough
            _complain(f"cannot write the output: {error.strerror}")
        return FAILED


def _run(arguments: Sequence[str] | None) -> int:
    parser = make_parser()
    try:
        options = group_options(parser.parse_args(arguments))
    except SystemExit as end:  # --help and --version print and leave
        return int(end.code or 0)
    name = options.pop("command")
    if name is None:
        parser.print_help()
        return 0
    module = importlib.import_module(module_of(name))
    status: int = module.run(module.Options(**options))
    return status


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Show our own warnings in a line, others as usual."""
    if issubclass(category, InputWarning):
        _complain(str(message))
    else:
        _usual_warning(message, category, filename, lineno, file, line)


def _complain(message: str) -> None:
    print(f"sog: {shorten(message, _MAX_LINE)}", file=sys.stderr)
