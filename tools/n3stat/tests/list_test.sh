# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3stat list and explain, against the copies of the specification's tables.

spec=$here/../../../selftests/spec
made tree --cpus 1

run -r "$tmp/nothing" list events
awk 'NR == FNR { listed[tolower($1 " " $2)]; next }
	!/^#/ && !(tolower($1 " " $2) in listed) { print $1, $2 }' "$tmp/out" "$spec/events.tsv" \
	>"$tmp/err"
[ ! -s "$tmp/err" ] && [ "$(grep -c '^0x' "$tmp/out")" -eq "$(grep -vc '^#' "$spec/events.tsv")" ]
result $? "list events: every event of the specification's table, with its code"
run -r "$made" list events
matches '^0x0011 .* topdown_l1,cycle_accounting,general,' \
	"list events: names the groups that currently count an event"
echo 0 >"$made/enable"
run -r "$made" list events && ! grep -q topdown_l1 "$tmp/out"
result $? "list events: nothing is counted when sampling is off"

# counted EVENT: the last column of the event's line
counted()
{
	run -r "$made" list events
	awk -v event="$1" '$2 == event { print $7 }' "$tmp/out"
}
echo 1 >"$made/enable"
[ "$(counted STALL_SLOT_BACKEND)" = topdown_l1,anchors ] &&
	[ "$(counted L1D_CACHE | grep -c anchors)" -eq 0 ]
result $? "list events: names anchors if a CPU counts the event as one"
cp -r "$made/cpu0" "$made/cpu1"
sed -i 's/^anchors .*/anchors STALL_SLOT_BACKEND BUS_CYCLES/' "$made/cpu1/status"
[ "$(counted BUS_CYCLES)" = anchors ] && [ "$(counted STALL_SLOT_BACKEND)" = topdown_l1,anchors ]
result $? "list events: names anchors that only some CPUs have"
sed -i 's/^anchors .*/anchors none/' "$made"/cpu?/status
same "list events: no anchors if CPUs have none" topdown_l1 "$(counted STALL_SLOT_BACKEND)"
sed -i 's/^anchors .*/anchors STALL_SLOT_BACKEND/' "$made/cpu0/status"
echo 0 >"$made/enable"
same "list events: no anchors when sampling is off" - "$(counted STALL_SLOT_BACKEND)"
echo 1 >"$made/enable"
[ "$(counted LL_CACHE_MISS_RD)" = mpki,miss_ratio,ll_cache_effectiveness ] &&
	echo 'LL_CACHE_RD' >"$made/distrust" && [ "$(counted LL_CACHE_RD)" = distrusted ] &&
	[ "$(counted LL_CACHE_MISS_RD)" = mpki,ll_cache_effectiveness ]
result $? "list events: neither a distrusted event nor related ones are counted"
echo none >"$made/distrust"
same "list events: without distrust all are counted" mpki,miss_ratio,ll_cache_effectiveness \
	"$(counted LL_CACHE_MISS_RD)"
echo 0 >"$made/enable"

matches '^0x0011 .*  -  ' "list events: no event is marked as missing without the module's report"
grep -q '^PMCEID missing' "$tmp/out"
[ $? -eq 1 ]
result $? "list events: no legend for an unused mark"
echo 1 >"$made/enable"
echo 'pmceid_missing STALL_SLOT L1D_CACHE' >>"$made/spec"
run -r "$made" list events
[ "$(awk '$6 == "missing" { print $2 }' "$tmp/out" | tr '\n' ' ')" = "L1D_CACHE STALL_SLOT " ] &&
	grep -q '^PMCEID missing: ' "$tmp/out"
result $? "list events: exactly the events hidden by the driver are marked, with a legend"
sed -i 's/^pmceid_missing .*/pmceid_missing none/' "$made/spec"
run -r "$made" list events
[ "$(grep -c '^0x' "$tmp/out")" -gt 200 ] && ! grep -q missing "$tmp/out"
result $? "list events: none is marked if the driver hides none"

run list metrics
awk -F '\t' '!/^#/ { printf "%-33s  %-21s  %s\n", $1, $4, $3 }' "$spec/metrics.tsv" >"$tmp/wanted"
[ -s "$tmp/wanted" ] && ! grep -vxFf "$tmp/out" "$tmp/wanted" >"$tmp/err"
result $? "list metrics: every metric with its unit and formula"

run list groups
grep -v '^#' "$spec/groups.tsv" | while IFS="$(printf '\t')" read -r name title rest; do
	grep -Eq "^$name +$title " "$tmp/out" || echo "$name $rest"
done >"$tmp/err"
[ ! -s "$tmp/err" ]
result $? "list groups: every group with its title"

run list && [ "$(wc -l <"$tmp/out")" -le 23 ] && [ "$(wc -L <"$tmp/out")" -le 79 ] &&
	grep -wq "$(grep -vc '^#' "$spec/events.tsv") events" "$tmp/out" &&
	grep -wq "$("$n3stat" list metrics | sed 1d | wc -l) metrics" "$tmp/out"
result $? "list: the numbers of the three kinds on one screen"
tail -n +5 "$tmp/out" | sed '/^$/,$d' | xargs -n 1 >"$tmp/short"
"$n3stat" list groups | sed '1d; s/ .*//' | diff - "$tmp/short" >"$tmp/err"
result $? "list: the names of all groups"
refuses 2 bad_value "list: counters are in the ABI" list counters
refuses 2 bad_value "list: refuses any other kind" list nonsense

# facts: of each metric in $tmp/explained, as "name|fact"
"$n3stat" list metrics | awk 'NR > 1 { print $1 }' >"$tmp/metrics"
# a long command follows in the next line
xargs "$n3stat" explain <"$tmp/metrics" | sed '/^find it:$/{N;s/\n */ /}' >"$tmp/explained"
awk '/^metric: / { name = $2 }
	/^(formula|unit): / { print name "|" $0 }
	/^(means|look at): / { print name "|" substr($0, 1, index($0, ":")) }
	/^find it: perf / { print name "|find it: perf" }
	/^next: / {
		sub(/^next: */, "")
		for (i = split($0, parts, /, /); i > 0; i--)
			print name "|next: " parts[i]
	}' "$tmp/explained" >"$tmp/facts"
# lacks_none FILE: all facts of the file were found
lacks_none()
{
	[ -s "$1" ] && ! grep -vxFf "$tmp/facts" "$1" >"$tmp/err"
}

awk -F '\t' '!/^#/ { printf "%s|formula: %s\n%s|unit: %s\n%s|means:\n", $1, $3, $1, $4, $1 }' \
	"$spec/metrics.tsv" >"$tmp/wanted"
lacks_none "$tmp/wanted"
result $? "explain: formula and unit as in the specification, and a meaning"

sed 's/$/|means:/' "$tmp/metrics" >"$tmp/wanted"
lacks_none "$tmp/wanted"
result $? "explain: every listed metric has a meaning"

# In any order: the specification and the tables differ in it.
awk -F '\t' '!/^#/ {
		for (i = split($2, parts, ","); i > 0; i--)
			print $1 "|next: " ($2 == "-" ? "nothing: the tree ends here" : parts[i])
	}' "$spec/tree.tsv" | sort >"$tmp/wanted"
awk -F '\t' '!/^#/ { printf "%s|look at:\n%s|find it: perf\n", $1, $1 }' "$spec/tree.tsv" \
	>"$tmp/advice"
# causes of a node as counts, which the specification lacks
awk -F '\t' '!/^#/ && $2 == "Speculation_Causes" { print $1 }' "$spec/extra.tsv" >"$tmp/causes"
sed 's/^/^/; s/$/|/' "$tmp/causes" >"$tmp/cause_facts"
grep '|next: ' "$tmp/facts" | grep -v 'nothing: it is not in the tree$' |
	grep -vf "$tmp/cause_facts" | sort |
	diff "$tmp/wanted" - >"$tmp/err" &&
	lacks_none "$tmp/advice"
result $? "explain: references of the tree and advice for each of its nodes"

"$n3stat" explain $(cat "$tmp/causes") | sed -n 's/^path:   //p' >"$tmp/out"
[ "$(wc -l <"$tmp/out")" -eq 8 ] &&
	sed 's/^/bad_speculation > /' "$tmp/causes" | diff - "$tmp/out" >"$tmp/err"
result $? "explain: causes are below their node of the tree"
# choosing LEAD GROUP: lines that choose an extra group
choosing()
{
	echo "$1: echo all $2 > /sys/kernel/n3_telemetry/groups"
}
run explain bad_speculation
same "explain: the command that selects the causes of a node" \
	"$(choosing causes speculation_causes)" "$(grep '^causes: ' "$tmp/out")"

# Groups have a purpose; those beyond the specification are to be chosen.
awk -F '\t' '!/^#/ { print tolower($2) }' "$spec/extra.tsv" | uniq >"$tmp/wanted"
"$n3stat" list groups | awk 'NR > 1 { print tolower($1) }' >"$tmp/groups"
while read -r group; do
	"$n3stat" explain "$group" >"$tmp/out"
	grep -q '^purpose: [A-Z].' "$tmp/out" || echo "$group has no purpose"
	grep '^choose: ' "$tmp/out"
done <"$tmp/groups" | sort >"$tmp/found"
while read -r group; do
	choosing choose "$group"
done <"$tmp/wanted" | sort | diff - "$tmp/found" >"$tmp/err"
result $? "explain: the purpose of each group, and how to choose those beyond the specification"
run explain memory_latency && grep -q "Little's law" "$tmp/out" &&
	run explain page_walks && grep -q 'hardware prefetches' "$tmp/out"
result $? "explain: the purpose of a group is its own"

# Events in commands must exist.
"$n3stat" list events | awk '{ print $3 }' >"$tmp/aliases"
sed -n 's|^find it: .*armv8_pmuv3_0/\([a-z0-9_]*\)/.*|\1|p' "$tmp/explained" | sort -u >"$tmp/out"
[ "$(wc -l <"$tmp/out")" -gt 10 ] && ! grep -Fxvf "$tmp/aliases" "$tmp/out" >"$tmp/err"
result $? "explain: events in commands exist"
refuses 5 "unknown_name 'nonsense'" \
	"explain: says so when there is no such metric, group, event or word" explain nonsense
refuses 2 missing_argument "explain: refuses to run without a name" explain

# A short name finds its metric, in any case, and hides no other name.
sed -n 's/^short name: //p' "$tmp/explained" >"$tmp/short"
tr '[:upper:]' '[:lower:]' <"$tmp/short" | xargs "$n3stat" explain |
	sed -n 's/^metric: \([^ ]*\).*/\1/p' | diff "$tmp/metrics" - >"$tmp/out"
result $? "explain: every metric by its short name"
{
	"$n3stat" list events | sed -n 's/^0x[0-9a-f]* *\([^ ]*\) .*/\1/p'
	"$n3stat" list groups | sed '1d; s/ .*//'
	sed -n 's/^\(TERM\|WORD\)_TEXT(\([a-z_]*\),.*/\2/p' "$here"/../../libn3telemetry/*.def.h
} >"$tmp/names"
grep -ixFf "$tmp/short" "$tmp/names" >"$tmp/out"
[ $? -eq 1 ] && [ "$(wc -l <"$tmp/names")" -gt 250 ]
result $? "explain: no short name is that of an event, group, term or word"

# Every event of the specification's table is found by its code, also in perf's form.
grep -v '^#' "$spec/events.tsv" | while IFS="$(printf '\t')" read -r code name rest; do
	printf '%s\t%s\n' "$code" "$name" "0X${code#0x}" "$name" "r$(printf %x "$code")" "$name"
	printf 'r%04x\t%s\n' "$code" "$name"
done >"$tmp/codes"
cut -f1 "$tmp/codes" | xargs -n 400 "$n3stat" explain 2>"$tmp/err" |
	sed -n 's/^event: //p' >"$tmp/names"
cut -f2 "$tmp/codes" | tr '[:lower:]' '[:upper:]' | diff - "$tmp/names" >"$tmp/out" &&
	[ "$(wc -l <"$tmp/codes")" -gt 800 ]
result $? "explain: every event by its code, 0x17, r17 or r0017"

# Plain digits are accepted if they match a single event, according to the table.
"$here/event_numbers.py" "$spec/events.tsv" >"$tmp/numbers"
grep -v ' -$' "$tmp/numbers" | cut -d' ' -f1 | xargs -n 400 "$n3stat" explain 2>"$tmp/err" |
	sed -n 's/^event: //p' >"$tmp/names"
grep -v ' -$' "$tmp/numbers" | cut -d' ' -f2 | diff - "$tmp/names" >"$tmp/out" &&
	[ -s "$tmp/names" ]
result $? "explain: plain digits are a code if they match a single event"
grep ' -$' "$tmp/numbers" | while read -r text name; do
	"$plain_n3stat" explain "$text" >"$tmp/out" 2>"$tmp/err"
	[ $? -eq 5 ] && has_message ambiguous_event "'$text'" || echo "$text"
done >"$tmp/wrong"
cp "$tmp/wrong" "$tmp/out"
[ ! -s "$tmp/wrong" ] && grep -q ' -$' "$tmp/numbers"
result $? "explain: plain digits that match two events are refused"
for text in 0x9999 r9999 0xfffff 0x10017 r99999999; do
	refuses 5 "unknown_event '$text'" "explain: no event has the code $text" explain $text
done
for text in 0x 0x17x rx 0x123456789; do
	refuses 5 "unknown_name '$text'" "explain: $text is not a code" explain $text
done

words="offline disabled unplaced unsupported contended idle stale implausible inconsistent undef
	none mixed spread"
terms="slots topdown answer area cause bottleneck loss rest share estimate window coverage busy ghz
	frequency gips anchor yield withdraw withdrawn verdict slots_error user_access"
# shellcheck disable=SC2086 # words
"$n3stat" explain $words $terms >"$tmp/defined"
# defines KIND LAST NAME...: each has a meaning and a line of the kind LAST
defines()
{
	kind=$1 last=$2
	shift 2
	for name; do
		awk -v RS= -v first="$kind: $name" 'index($0, first "\n") == 1' "$tmp/defined" >"$tmp/out"
		grep -qx "$kind: $name" "$tmp/out" && grep -q '^means:  ..........' "$tmp/out" &&
			grep -q "^$last: *.........." "$tmp/out" && [ "$(wc -L <"$tmp/out")" -le 80 ]
		result $? "explain: meaning of the $kind $name, and its line $last"
	done
}
# shellcheck disable=SC2086
defines word helps $words
# shellcheck disable=SC2086
defines term see $terms
prints "explain: a word in any case" explain Idle <<-'END'
	word: idle
	means:  Fewer than 100,000 cycles were counted in the window: too few to say
	        anything.
	helps:  Nothing is wrong: the CPU sleeps.
END

# Each metric has values with their source, or the statement that none was published.
awk '
	/^metric: / { name = $2; metrics++ }
	/^usual: / { usual[name]++ }
	/^usual:  no value was published:/ { bare[name]++ }
	/^much: / { much[name]++ }
	/^source: / { source[name]++ }
	END {
		for (name in usual)
			if (usual[name] == 1 && bare[name] + (much[name] == 1 && source[name] == 1) == 1)
				good++
		print metrics, good
	}' "$tmp/explained" >"$tmp/out"
read -r nr good <"$tmp/out"
[ "$nr" -ge 67 ] && [ "$good" -eq "$nr" ]
result $? "explain: usual and large values of every metric with a source, or none"
# level METRIC USUAL MUCH: numbers in the text of the metric, - for none
level()
{
	sed -n "/^metric: $1\( (.*)\)\?\$/,/^\$/p" "$tmp/explained" >"$tmp/out"
	for key in usual much; do
		got=$(sed -n "s/^$key: *[^0-9]*\\([0-9]*\\).*/\\1/p" "$tmp/out")
		[ "$key" = usual ] && want=$2 || want=$3
		[ "${got:--}" = "$want" ] || return 1
	done
}
# the thresholds of toplev and of the Graviton guide
level retiring - 70 && level frontend_bound - 15 && level backend_bound - 20 &&
	level bad_speculation - 15 &&
	level branch_mpki - 10 && level l1i_cache_mpki - 20 && level l1d_cache_mpki - 20 &&
	level l2_cache_mpki - 10 && level ll_cache_read_mpki - 10 && level dtlb_mpki 0 - &&
	level load_average_latency 4 -
result $? "explain: published thresholds"
level branch_direct_mpki - - && level branch_indnr_mpki - - && level branch_return_mpki - -
result $? "explain: branch_mpki's threshold is not that of each kind"

refuses 5 "unknown_name  estimate[?]" "explain: names the nearest term" explain estimat_

refuses 5 "unknown_name  backend_mem_bound[?]" "explain: names the nearest metric" \
	explain backend_mem_bnd
refuses 5 "unknown_name  L2D_CACHE_REFILL[?]" "explain: names the nearest event" \
	explain l2d_cache_refil
refuses 5 "unknown_name  STALL_SLOT[?]" "explain: two swapped letters are a small distance" \
	explain STALL_SLTO
refuses 5 "unknown_name  inconsistent[?]" "explain: names the nearest word" explain inconsistemt
refuses 5 "unknown_name  topdown_l1[?]" "explain: names the nearest group" explain topdow_l1
refuses 5 "unknown_name  l1d_tlb_mpki or l1i_tlb_mpki[?]" \
	"explain: names two at the same distance" \
	explain l1x_tlb_mpki
for text in zzz trx x "" \
	12345678901234567890123456789012345678901234567890123456789012345678901234567890; do
	run explain "$text"
	[ $? -eq 5 ] && has_message unknown_name && ! grep -q '?' "$tmp/err"
	result $? "explain: suggests nothing for '$text'"
done
"$here/check_suggestions.py" "$plain_n3stat" "$terms" >"$tmp/out" 2>"$tmp/err"
result $? "explain: suggests the nearest one or two, and nothing distant"

run list groups
awk '$(NF - 1) == "-" { print $1, $NF }' "$tmp/out" >"$tmp/extra"
sed -i '/ -  [a-z0-9_,]*$/d' "$tmp/out"
golden list-groups.txt "list: the whole list of the specification's groups"
awk -F '\t' '!/^#/ { names[$2] = names[$2] (names[$2] ? "," : $2 " ") $1; order[$2] = NR }
	END { for (group in names) print order[group], names[group] }' "$spec/extra.tsv" |
	sort -n | cut -d ' ' -f 2- | diff - "$tmp/extra" >"$tmp/out"
result $? "list: the extra groups with their metrics"
run explain backend_cache_l1d_bound
golden explain.txt "explain: the whole explanation of a metric"
run explain SVE_PRED_SPEC
golden explain_event.txt "explain: the whole explanation of an event"
