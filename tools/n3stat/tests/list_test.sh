# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3stat list and explain, against the copies of the specification's tables.

spec=$here/../../../selftests/spec
made tree --cpus 1

run -r "$tmp/nothing" list events
grep -v '^#' "$spec/events.tsv" | while IFS="$(printf '\t')" read -r code name rest; do
	grep -Eiq "^$code +$name " "$tmp/out" || echo "$code $name $rest"
done >"$tmp/err"
[ ! -s "$tmp/err" ] && [ "$(grep -c '^0x' "$tmp/out")" -eq "$(grep -vc '^#' "$spec/events.tsv")" ]
result $? "list events: every event of the specification's table, with its code"
run -r "$made" list events
matches '^0x0011 .* topdown_l1,cycle_accounting,general,' "list events: names the groups that count an event now"
echo 0 >"$made/enable"
run -r "$made" list events && ! grep -q topdown_l1 "$tmp/out"
result $? "list events: nothing is counted when sampling is off"

# counted EVENT: the last column of its line
counted()
{
	run -r "$made" list events
	awk -v event="$1" '$2 == event { print $7 }' "$tmp/out"
}
echo 1 >"$made/enable"
[ "$(counted STALL_SLOT_BACKEND)" = topdown_l1,anchors ] && [ "$(counted L1D_CACHE | grep -c anchors)" -eq 0 ]
result $? "list events: names anchors where a CPU counts the event as one"
cp -r "$made/cpu0" "$made/cpu1"
sed -i 's/^anchors .*/anchors STALL_SLOT_BACKEND BUS_CYCLES/' "$made/cpu1/status"
[ "$(counted BUS_CYCLES)" = anchors ] && [ "$(counted STALL_SLOT_BACKEND)" = topdown_l1,anchors ]
result $? "list events: names anchors that only some CPUs have"
sed -i 's/^anchors .*/anchors none/' "$made"/cpu?/status
[ "$(counted STALL_SLOT_BACKEND)" = topdown_l1 ]
result $? "list events: no anchors where CPUs have none"
sed -i '/^anchors /d' "$made"/cpu?/status
[ "$(counted STALL_SLOT_BACKEND)" = topdown_l1 ]
result $? "list events: no anchors of an older module"
echo 'anchors STALL_SLOT_BACKEND' >>"$made/cpu0/status"
echo 0 >"$made/enable"
[ "$(counted STALL_SLOT_BACKEND)" = - ]
result $? "list events: no anchors when sampling is off"
echo 1 >"$made/enable"
[ "$(counted LL_CACHE_MISS_RD)" = mpki,miss_ratio,ll_cache_effectiveness ] &&
	echo 'LL_CACHE_RD' >"$made/distrust" && [ "$(counted LL_CACHE_RD)" = distrusted ] &&
	[ "$(counted LL_CACHE_MISS_RD)" = mpki,ll_cache_effectiveness ]
result $? "list events: a distrusted event is counted by nothing, nor is what is related to it"
echo none >"$made/distrust"
[ "$(counted LL_CACHE_MISS_RD)" = mpki,miss_ratio,ll_cache_effectiveness ]
result $? "list events: without distrust all are counted"
echo 0 >"$made/enable"

matches '^0x0011 .*  -  ' "list events: no event is marked as missing where the module does not say so"
grep -q '^PMCEID missing' "$tmp/out"
[ $? -eq 1 ]
result $? "list events: no legend for a mark that is not there"
echo 1 >"$made/enable"
echo 'pmceid_missing STALL_SLOT L1D_CACHE' >>"$made/spec"
run -r "$made" list events
[ "$(awk '$6 == "missing" { print $2 }' "$tmp/out" | tr '\n' ' ')" = "L1D_CACHE STALL_SLOT " ] &&
	grep -q '^PMCEID missing: ' "$tmp/out"
result $? "list events: those and only those that the driver hides are marked, with a legend"
sed -i 's/^pmceid_missing .*/pmceid_missing none/' "$made/spec"
run -r "$made" list events
[ "$(grep -c '^0x' "$tmp/out")" -gt 200 ] && ! grep -q missing "$tmp/out"
result $? "list events: none is marked where the driver hides none"

run list metrics
grep -v '^#' "$spec/metrics.tsv" | while IFS="$(printf '\t')" read -r name groups formula unit; do
	grep -Fqx "$(printf '%-33s  %-21s  %s' "$name" "$unit" "$formula")" "$tmp/out" ||
		echo "$name $groups"
done >"$tmp/err"
[ ! -s "$tmp/err" ]
result $? "list metrics: every metric with its unit and formula"

run list groups
grep -v '^#' "$spec/groups.tsv" | while IFS="$(printf '\t')" read -r name title rest; do
	grep -Eq "^$name +$title " "$tmp/out" || echo "$name $rest"
done >"$tmp/err"
[ ! -s "$tmp/err" ]
result $? "list groups: every group with its title"
refuses 2 "cannot list" "list: refuses anything but events, metrics and groups" list nonsense

grep -v '^#' "$spec/metrics.tsv" | while IFS="$(printf '\t')" read -r name groups formula unit; do
	run explain "$name"
	grep -Fqx "formula: $formula" "$tmp/out" && grep -Fqx "unit: $unit" "$tmp/out" &&
		grep -q '^means: ' "$tmp/out" || echo "$name $groups"
done >"$tmp/wrong"
cp "$tmp/wrong" "$tmp/err"
[ ! -s "$tmp/err" ]
result $? "explain: formula and unit as the specification has them, and a meaning"

"$n3stat" list metrics | sed 1d | while read -r name rest; do
	run explain "$name"
	grep -q '^means: ' "$tmp/out" || echo "$name $rest"
done >"$tmp/wrong"
cp "$tmp/wrong" "$tmp/err"
[ ! -s "$tmp/err" ]
result $? "explain: every metric that is listed has a meaning"

# a long command stands in the line below
joined()
{
	sed '/^find it:$/{N;s/\n */ /}' "$@"
}
{
	grep -v '^#' "$spec/tree.tsv" | while IFS="$(printf '\t')" read -r name next; do
		run explain "$name"
		[ "$next" = - ] && next="nothing: the tree ends here"
		# In any order: the specification's is not that of the tables.
		[ "$(sed -n 's/^next: *//p' "$tmp/out" | sed 's/, /\n/g' | sort)" = \
			"$(echo "$next" | sed 's/,/\n/g' | sort)" ] &&
			grep -q '^look at: ' "$tmp/out" && joined "$tmp/out" | grep -q '^find it: perf ' ||
			echo "$name"
	done
} >"$tmp/wrong"
cp "$tmp/wrong" "$tmp/err"
[ ! -s "$tmp/err" ]
result $? "explain: where the tree leads, and what to do, for every node of it"

# A command that names an event must name one that there is.
"$n3stat" list events | awk '{ print $3 }' >"$tmp/aliases"
"$n3stat" list metrics | awk 'NR > 1 { print $1 }' | xargs "$n3stat" explain |
	joined | sed -n 's|^find it: .*armv8_pmuv3_0/\([a-z0-9_]*\)/.*|\1|p' | sort -u >"$tmp/out"
[ "$(wc -l <"$tmp/out")" -gt 10 ] && ! grep -Fxvf "$tmp/aliases" "$tmp/out" >"$tmp/err"
result $? "explain: the commands name events that there are"
refuses 5 "no metric, group or event" "explain: says so when there is no such metric, group or event" explain nonsense
refuses 2 "explain what" "explain: refuses to run without a name" explain
