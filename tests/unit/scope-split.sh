#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# split.sh IN OUT DEBUG: OUT is IN without its symbols, which are in DEBUG, as packages have them.
set -eu
in=$(realpath "$1") out=$(realpath "$2")
objcopy --only-keep-debug "$in" "$3"
cd "$(dirname "$3")"
objcopy --strip-all --add-gnu-debuglink="$(basename "$3")" "$in" "$out"
