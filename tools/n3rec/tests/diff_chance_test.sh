# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3stat report --diff: how many metrics differ by chance, and whether real changes are found, in
# recordings made from known random sources.
# on: test-long

# verdicts CASE SHIFT WINDOWS-A WINDOWS-B: counts of "more", "less" and all verdicts
verdicts()
{
	"$here/make_chance.py" "$tmp" "$@" 2>"$tmp/err" &&
		"$n3stat" report --diff --json "$tmp/chance-a" "$tmp/chance-b" >"$tmp/chance.json" 2>"$tmp/err" &&
		"$here/count_verdicts.py" "$tmp/chance.json" >"$tmp/verdicts" 2>"$tmp/err"
}

# 1000 metrics: three standard deviations above 5 % are 70
for source in "independent 0 5 5" "independent 0 40 40" "independent 0 200 7" "wide 0 12 30" \
	"overlap 0 8 25" "overlap 0 60 60" "idle 0 40 40" "phases 0 200 200" "phases 0 80 400"; do
	# shellcheck disable=SC2086 # words
	verdicts $source && read -r more less judged few <"$tmp/verdicts" &&
		[ "$judged" -eq 1000 ] && [ "$few" -eq 0 ] && [ $((more + less)) -le 70 ]
	result $? "report --diff: at most 5 % of unchanged metrics differ: $source"
	echo "# $((more + less)) of $judged"
done

# changes of ten standard deviations of the difference of the means
for source in "independent 10 20 20" "overlap 10 20 20" "idle 10 40 40"; do
	for sign in "" -; do
		# shellcheck disable=SC2086
		verdicts ${source%% *} $sign${source#* } && read -r more less judged _ <"$tmp/verdicts" &&
			[ "$judged" -eq 1000 ] && [ "$((${sign}1 * (more - less)))" -ge 990 ]
		result $? "report --diff: finds a real change: $sign$source"
	done
done
# even of the same sign in each window
for windows in "40 1" "1 40" "4 40" "40 4" "4 4"; do
	# shellcheck disable=SC2086
	verdicts independent 10 $windows && [ "$(cat "$tmp/verdicts")" = "0 0 0 1000" ]
	result $? "report --diff: no verdict for windows: $windows"
done
