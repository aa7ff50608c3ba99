#!/bin/sh
# Merges real data with braid and compares the results with other engines. Run from anywhere:
#
#     fuzz/peers/run.sh FLIGHTS.parquet PAIMON_DATA
#
# PEERS names a folder for the Python environment and the files made; without it a new folder is made and removed.
set -eu

if [ $# -ne 2 ]; then
	sed -n '2,6s/^# \{0,1\}//p' "$0" >&2
	exit 2
fi
flights=$(realpath "$1")
paimon=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)

if [ -z "${PEERS:-}" ]; then
	PEERS=$(mktemp -d)
	trap 'rm -rf "$PEERS"' EXIT INT TERM
fi
mkdir -p "$PEERS"
export PYTHONDONTWRITEBYTECODE=1
[ -x "$PEERS/venv/bin/python" ] || python3 -m venv "$PEERS/venv"
"$PEERS/venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
python="$PEERS/venv/bin/python"

(cd "$here" && "$python" -m unittest --quiet test_peers)
(cd "$here/../.." && go build -o "$PEERS/braid" ./cmd/braid)
"$python" "$here/flights.py" "$flights" "$PEERS/flights"

failed=0
for engine in deduplicate partial-update; do
	runs="$PEERS/flights/$engine"
	"$PEERS/braid" merge --key flight --engine "$engine" --option partial-update.remove-record-on-delete=true \
		--order given --force -o "$runs/merged.parquet" "$runs"/run-?.parquet
	"$python" "$here/check.py" --engine "$engine" --key flight --output "$runs/merged.parquet" "$runs"/run-?.parquet || failed=1
done

"$python" "$here/paimon_table.py" runs "$paimon" >"$PEERS/big_orders.runs"
# shellcheck disable=SC2046 # one argument a line; the names have no blanks
"$PEERS/braid" merge --key order_id --force -o "$PEERS/big_orders.parquet" $(sed 's/^/--run /' "$PEERS/big_orders.runs")
"$python" "$here/paimon_table.py" check "$paimon" "$PEERS/big_orders.parquet" || failed=1
exit $failed
