#!/bin/sh
# Prepare a virtual environment and print its folder, nothing else, on stdout.
#
#   sh scripts/setup.sh run     what the program needs (make demo)
#   sh scripts/setup.sh dev     what the tests need too (make test)
#
# PYTHON=/path/to/python picks the interpreter and gives it a folder of its own, such as .venv-3.13; otherwise the first
# suitable one on PATH serves .venv. The work is done once, and again only when the locks, pyproject.toml or the clone's
# place change: see scripts/environment.py.
set -eu

profile=${1:?"usage: sh scripts/setup.sh run|dev"}
cd "$(dirname "$0")/.."

suitable() { # INTERPRETER: Python 3.11 to 3.13
    "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' >/dev/null 2>&1
}

version() { # INTERPRETER: its version, or why there is none
    "$1" -c 'import sys; print("Python %d.%d.%d" % sys.version_info[:3])' 2>/dev/null || echo "does not run"
}

if [ -n "${PYTHON:-}" ]; then
    if ! suitable "$PYTHON"; then
        echo "Clearband needs Python 3.11, 3.12 or 3.13, but PYTHON=$PYTHON is: $(version "$PYTHON")." >&2
        echo "Name another one: make PYTHON=/path/to/python3.13 ..." >&2
        exit 1
    fi
    folder=.venv-$("$PYTHON" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
else
    folder=.venv
    found=
    for candidate in python3 python python3.13 python3.12 python3.11; do
        command -v "$candidate" >/dev/null 2>&1 || continue
        if suitable "$candidate"; then
            PYTHON=$candidate
            break
        fi
        found="$found
  $(command -v "$candidate"): $(version "$candidate")"
    done
    if [ -z "${PYTHON:-}" ]; then
        echo "Clearband needs Python 3.11, 3.12 or 3.13; on PATH there is:${found:- no Python at all}" >&2
        echo "Install one, or name one that lies elsewhere: make PYTHON=/path/to/python3.13 ..." >&2
        exit 1
    fi
fi

"$PYTHON" scripts/environment.py "$profile" "$folder" >&2
echo "$folder"
