#!/bin/sh
# Installs Debian's stockfish and gnugo, if that is possible here. Tests that need an engine that is absent
# are skipped by name, so this never fails.
PATH="$PATH:/usr/games"
missing=""
for engine in stockfish gnugo; do
    command -v "$engine" >/dev/null 2>&1 || missing="$missing $engine"
done
[ -z "$missing" ] && exit 0
if ! command -v apt-get >/dev/null 2>&1 || [ "$(id -u)" != 0 ]; then
    echo "engines:$missing not installed, which takes apt-get and root; tests that need them are skipped"
    exit 0
fi
install() {
    # shellcheck disable=SC2086  # several words on purpose
    DEBIAN_FRONTEND=noninteractive timeout 300 apt-get install -y -q --no-install-recommends $missing
}
if ! install >/dev/null 2>&1; then
    timeout 120 apt-get update -q >/dev/null 2>&1
    install >/dev/null 2>&1 || echo "engines: cannot install$missing; tests that need them are skipped"
fi
exit 0
