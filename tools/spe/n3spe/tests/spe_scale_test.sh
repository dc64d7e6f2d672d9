# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# Costs of n3stat spe report, in instructions and memory, which do not depend on the machine's load.

export PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH="$PYTHONPATH:$here/../../tests:$here/../../libspe/tests"
n3spe=$(dirname "$(readlink -f "$plain_n3stat")")/spe/n3spe

if [ -x "$n3spe" ] && command -v valgrind >/dev/null; then
	records=20000
	[ -z "${LONG:-}" ] || records=1000000
	mkdir "$tmp/scale"
	"$here/../../tests/bench.py" check "$tmp/scale" "$n3spe" $records >"$tmp/out" 2>"$tmp/err"
	result $? "spe report: $records records cost no more than before, and less than in perf"
	while read -r case name; do
		"$here/spe_scale_check.py" "$case" "$tmp/scale" "$n3spe" >"$tmp/out" 2>"$tmp/err"
		result $? "spe report: $name"
	done <<-'END'
		mappings cost does not depend on the number of mappings
		repeated names and mappings that come again take no memory
		greedy a process with very many names, files and threads leaves others theirs
		generations processes that only fork keep name and files
		huge_pages code that was copied to anonymous pages is that of its file
	END
else
	skip "spe report: costs" "no valgrind, or no program without sanitizers"
fi
