#!/usr/bin/env bash
# Makes every suite again by the command in its first line. Takes the program as its argument.
set -euo pipefail
program=${1:-target/release/sparring}
cd "$(dirname "$0")/../.."

for suite in data/openings/*.epd data/openings/*.fen; do
    command=$(head -n 1 "$suite" | grep -o 'openings --game [^"]*')
    # Words of the command are plain: no quotes, no blanks inside.
    # shellcheck disable=SC2086
    "$program" $command --quiet --out "$suite"
done
git --no-pager diff --stat -- data/openings
