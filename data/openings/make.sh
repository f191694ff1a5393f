#!/usr/bin/env bash
# Rebuilds every suite with the command in its first line. Usage: make.sh [PROGRAM]
set -euo pipefail
program=${1:-target/release/sparring}
cd "$(dirname "$0")/../.."

for suite in data/openings/*.epd data/openings/*.fen; do
    command=$(head -n 1 "$suite" | grep -o 'openings --game [^"]*')
    # Word splitting is safe: the commands contain no quotes.
    # shellcheck disable=SC2086
    "$program" $command --quiet --out "$suite"
done
git --no-pager diff --stat -- data/openings
