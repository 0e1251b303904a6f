"""Run a command in a network namespace of its own, where there is nothing but loopback (Linux).

    python scripts/loopback.py COMMAND [ARGUMENT …]

Ray looks for the machine's own address and binds to it; in here it finds 127.0.0.1, and no packet leaves.
Without the right to make a namespace the exit status is 3.
"""

import ctypes
import fcntl
import os
import socket
import struct
import sys
from pathlib import Path

NO_RIGHT = 3
_NEW_USER, _NEW_NET = 0x10000000, 0x40000000
_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 1


def enter() -> None:
    """Move this process into a namespace; OSError if that is not allowed."""
    libc = ctypes.CDLL(None, use_errno=True)
    user, group = os.getuid(), os.getgid()
    if libc.unshare(_NEW_NET) != 0:  # who is not root may be in a namespace of users
        if libc.unshare(_NEW_USER | _NEW_NET) != 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"0 {user} 1")
        Path("/proc/self/gid_map").write_text(f"0 {group} 1")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as opened:
        found = fcntl.ioctl(opened, _GET_FLAGS, struct.pack("16sh14x", b"lo", 0))
        (flags,) = struct.unpack_from("h", found, 16)
        fcntl.ioctl(opened, _SET_FLAGS, struct.pack("16sh14x", b"lo", flags | _UP))


def main() -> int:
    """Enter, and become the command."""
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        enter()
    except OSError as error:
        print(f"no right to make a network namespace: {error.strerror}", file=sys.stderr)
        return NO_RIGHT
    os.execvp(sys.argv[1], sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
