# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3stat selftest: its tables, its verdicts, reports and the setting; counting itself is
# tested on the emulated N3.

events=$here/../../../selftests/spec/events.tsv

# has_memory BYTES NAME - checks the free memory of the machine in $tmp/machine
has_memory() {
	"$SELFTEST_CASES" "$tmp/machine" >"$tmp/out"
	same "selftest: $2" "$1" "$(cat "$tmp/out")"
}

if [ -n "$SELFTEST_CASES" ]; then
	"$SELFTEST_CASES" >"$tmp/cases" 2>"$tmp/err"
	while read -r line; do
		echo "$line" >"$tmp/out"
		[ "${line%% *}" = ok ]
		result $? "selftest: ${line#*- }"
	done <<-END
	$(grep '^\(not \)\?ok' "$tmp/cases")
	END
	[ "$(sed -n 's/^1\.\.//p' "$tmp/cases")" = "$(grep -c '^\(not \)\?ok' "$tmp/cases")" ] &&
		[ ! -s "$tmp/err" ]
	result $? "selftest: all synthetic readings have a verdict"
	group=$tmp/machine/sys/fs/cgroup/outer/inner
	mkdir -p "$tmp/machine/proc/self" "$group"
	echo "MemAvailable:    1000 kB" >"$tmp/machine/proc/meminfo"
	has_memory 1024000 "without cgroups the machine's free memory is free"
	printf '4:memory:/nowhere\n0::/outer/inner\n' >"$tmp/machine/proc/self/cgroup"
	echo max >"$group/memory.max"
	echo 5000 >"$group/memory.current"
	has_memory 1024000 "a cgroup without a limit limits nothing"
	echo 105000 >"$group/memory.max"
	has_memory 100000 "what a cgroup has left is free"
	printf 'anon 3000\ninactive_file 2000\n' >"$group/memory.stat"
	has_memory 102000 "a cgroup's cache of files is free"
	echo 60000 >"${group%/*}/memory.max"
	echo 20000 >"${group%/*}/memory.current"
	has_memory 40000 "a cgroup above that has less left counts"
	echo 70000 >"${group%/*}/memory.current"
	has_memory 0 "nothing is free of a cgroup that is full"
else
	skip "selftest: synthetic readings" "SELFTEST_CASES is not set"
fi

run selftest --list
cp "$tmp/out" "$tmp/list"
sed '1,/^EVENT/d; /^ /d' "$tmp/list" >"$tmp/moved"
grep -v '^#' "$events" | cut -f 2 >"$tmp/expected"
awk '{ print $1 }' "$tmp/moved" | cmp -s - "$tmp/expected"
result $? "selftest: --list has the 224 events of the specification in order"
awk -F '\t' '!/^#/ && $7 != "-" { print $2 }' "$events" | sort >"$tmp/used"
awk '$2 != "maybe" { print $1 }' "$tmp/moved" | sort >"$tmp/decided"
comm -23 "$tmp/used" "$tmp/decided" >"$tmp/out"
[ ! -s "$tmp/out" ] && [ "$(wc -l <"$tmp/used")" -eq 66 ]
result $? "selftest: each of the 66 events of metrics has a micro-kernel"
sed '/^$/,$d; 1d; s/ .*//' "$tmp/list" | sort >"$tmp/kernels"
kernels=$(wc -l <"$tmp/kernels")
sed '1,/^EVENT/d; /^ \{4\}[^ ]/d; s/^[^ ]*//; s/ maybe / /' "$tmp/list" | tr ' ' '\n' |
	sed '/^$/d' | sort -u | diff "$tmp/kernels" - >"$tmp/out"
result $? "selftest: --list describes every micro-kernel it names, and names all"
sed '1,/^EVENT/d; /^ \{5\}/d' "$tmp/list" | awk '/^ / != expected { bad++ }
	{ expected = !/^ / && $2 == "maybe" }
	END { exit bad + expected > 0 }'
result $? "selftest: every event that may not be moved has a reason, no other has"
[ "$(wc -L <"$tmp/list")" -le 80 ]
result $? "selftest: --list fits 80 columns"

case $(uname -m) in
aarch64) skip "selftest: refuses other CPUs than Arm" "this is one" ;;
*) refuses 1 not_arm "selftest: refuses other CPUs than Arm" selftest ;;
esac
refuses 1 cannot_write "selftest: an unwritable report is refused before the run" \
	selftest -o "$tmp/no/such/report"
refuses 1 cannot_write "selftest: a directory is refused as a report" selftest -o "$tmp"
if [ "$(uname -m)" != aarch64 ]; then
	echo old >"$tmp/kept-report"
	run selftest -o "$tmp/kept-report"
	same "selftest: a failed run leaves an older report unchanged" old "$(cat "$tmp/kept-report"*)"
fi
refuses 2 conflicting_options "selftest: --input with --output is refused" selftest -i a -o b
refuses 2 conflicting_options "selftest: --list with --cpu is refused" selftest --list -C 0
refuses 2 conflicting_options "selftest: --list with --apply is refused" selftest --list --apply
refuses 2 too_many_arguments "selftest: an argument is refused" selftest 3

"$here/make_selftest.py" "$events" STALL_BACKEND CRYPTO_SPEC >"$tmp/report.json"
run selftest -i "$tmp/report.json"
[ $? -eq 7 ] && [ ! -s "$tmp/err" ]
result $? "selftest: exit status 7 for events that do not count"
matches '^  221 count, 0 do not, nothing here moves 3, 0 not tested$' \
	"selftest: summary of a CPU where all events count"
matches '^  219 count, 2 do not, nothing here moves 3, 0 not tested$' \
	"selftest: summary of a CPU where two do not"
[ "$(grep -n 'count, ' "$tmp/out" | cut -d : -f 1 | tail -n 1)" -lt 9 ]
result $? "selftest: summaries come first"
matches '^  0 of 21 identities fail$' "selftest: failed identities are counted"
same "selftest: events that do not count are listed" "  STALL_BACKEND CRYPTO_SPEC" \
	"$(grep -A 1 '^Do not count' "$tmp/out" | tail -n 1)"
matches 'virtual machine: KVM' "selftest: a guest is reported as one"
matches '^CPU 5: Neoverse N3 r0p1, armv8_pmuv3_0, 6 counters$' \
	"selftest: revision, PMU and counters"
[ "$(wc -L <"$tmp/out")" -le 80 ]
result $? "selftest: the table fits 80 columns"
run selftest --json -i "$tmp/report.json"
"$here/check_report.py" "$tmp/out" "$tmp/report.json" >"$tmp/said" 2>&1
result $? "selftest: a report is unchanged by reading and writing"
"$here/make_selftest.py" "$events" >"$tmp/good.json"
run selftest -i "$tmp/good.json" && ! grep -q '^Do not count' "$tmp/out"
result $? "selftest: exit status 0 if all count"
sed 's/"outcome": "holds"/"outcome": "fails"/' "$tmp/good.json" >"$tmp/failing.json"
run selftest -i "$tmp/failing.json"
[ $? -eq 7 ] && grep -q '^  fails  *OP_RETIRED <= OP_SPEC$' "$tmp/out"
result $? "selftest: exit status 7 for a failed identity"


# report_with TRIALS - prints a report, in whose first CPU "MEM_ACCESS = L1D_CACHE" has these
# trials: "micro-kernel outcome percent", one a line
report_with() {
	"$here/make_trials.py" "$1" "$tmp/good.json"
}

report_with 'integers held 0.25
stores violated -12.5
walks violated 3
sleeps undecided 0' >"$tmp/trials.json"
run selftest -i "$tmp/trials.json"
[ $? -eq 7 ] && grep -A 2 '^  fails  *MEM_ACCESS = L1D_CACHE$' "$tmp/out" | sed 1d | xargs |
	grep -qx "1 held, 2 violated, $((kernels - 3)) undecided: -12.500 % at most\
 violated with walks stores"
result $? "selftest: an identity has its micro-kernels counted, and those that violate it named"
matches '^  1 of 21 identities fails$' "selftest: an identity violated with a micro-kernel fails"
run selftest --json -i "$tmp/trials.json"
"$here/check_trials.py" "$tmp/out" "$kernels" >"$tmp/said" 2>&1
result $? "selftest: --json has the outcome and the deviation with each micro-kernel"
report_with 'integers held 0.25' >"$tmp/trials.json"
run selftest -i "$tmp/trials.json" && grep -q '^  holds  *MEM_ACCESS = L1D_CACHE$' "$tmp/out"
result $? "selftest: an identity that held with one micro-kernel holds"
report_with "$(sed '/^$/,$d; 1d; s/ .*/ violated 9/' "$tmp/list")" >"$tmp/trials.json"
run selftest -i "$tmp/trials.json"
[ $? -eq 7 ] && [ "$(wc -L <"$tmp/out")" -le 80 ]
result $? "selftest: names of all micro-kernels fit 80 columns"
for change in 's/violated/broken/' 's/"kernel": "stores"/"kernel": "stories"/' \
	's/"kernels": \[{"kernel": "in/"kernel": [{"kernel": "in/'; do
	sed "$change" "$tmp/trials.json" >"$tmp/bad.json"
	refuses 1 not_a_report "selftest: not a report: $change" selftest -i "$tmp/bad.json"
done

for change in 's/selftest 1/selftest 9/' 's/"does not count"/"counts not"/' 's/"STALL"/"STALLS"/' \
	's/"events"/"event"/' 's/"cpus": \[/"cpus": [3, /' 's/OP_RETIRED <=/OP_RETIRED <>/'; do
	sed "$change" "$tmp/report.json" >"$tmp/bad.json"
	refuses 1 not_a_report "selftest: not a report: $change" selftest -i "$tmp/bad.json"
done
echo '{ "format": "n3stat selftest 1", "cpus": [] }' >"$tmp/bad.json"
refuses 1 not_a_report "selftest: a report without a CPU is refused" selftest -i "$tmp/bad.json"
echo '[' >"$tmp/bad.json"
refuses 1 not_a_report "selftest: a file other than JSON is refused" selftest -i "$tmp/bad.json"
refuses 1 cannot_read "selftest: a missing file is refused" selftest -i "$tmp/no/such"

mkdir -p "$tmp/setting/cpu0" "$tmp/setting/cpu5"
echo old >"$tmp/setting/distrust"
echo "state sampling" | tee "$tmp/setting/status" "$tmp/setting/cpu0/status" \
	>"$tmp/setting/cpu5/status"
run selftest -i "$tmp/report.json" --apply -r "$tmp/setting"
[ $? -eq 7 ] && [ "$(head -n 1 "$tmp/setting/distrust")" = "STALL_BACKEND CRYPTO_SPEC" ]
result $? "selftest: --apply writes exactly the events that do not count"
grep -A 1 "^wrote to $tmp/setting/distrust:" "$tmp/out" | grep -q '^  STALL_BACKEND CRYPTO_SPEC$'
result $? "selftest: --apply shows the written setting"
sed -n '/without a value now:/,$s/^  //p' "$tmp/out" | sort >"$tmp/said"
awk -F '\t' '!/^#/ && $3 ~ /(^|[^A-Z_])(STALL_BACKEND|CRYPTO_SPEC)([^A-Z0-9_]|$)/ { print $1 }' \
	"${events%/*}/metrics.tsv" "${events%/*}/extra.tsv" | sort | cmp -s - "$tmp/said"
result $? "selftest: --apply names the unsupported metrics"
echo old >"$tmp/setting/distrust"
run selftest -i "$tmp/good.json" --apply -r "$tmp/setting" &&
	[ "$(head -n 1 "$tmp/setting/distrust")" = none ]
result $? "selftest: --apply writes none if all count"
run selftest --json -i "$tmp/good.json" --apply -r "$tmp/setting" &&
	python3 -m json.tool "$tmp/out" >/dev/null
result $? "selftest: --json with --apply prints only JSON on stdout"

# applied REPORT SETTING - prints the new setting, empty if --apply fails
applied() {
	echo "$2" >"$tmp/setting/distrust"
	run selftest -i "$1" --apply -r "$tmp/setting"
	status=$?
	head -n 1 "$tmp/setting/distrust"
	return $status
}

sed 's/"verdict": "[a-z ]*"/"verdict": "not tested"/g' "$tmp/good.json" >"$tmp/untested.json"
run selftest -i "$tmp/untested.json"
[ $? -eq 1 ] && has_message nothing_tested 'CPU 5'
result $? "selftest: exit status 1 if nothing was tested"
sed 's/"\(name": "CPU_CYCLES".[^}]*verdict": "\)not tested"/"\1counts"/g' "$tmp/untested.json" \
	>"$tmp/cycles.json"
run selftest -i "$tmp/cycles.json"
[ $? -eq 1 ] && grep -q '^  1 count, ' "$tmp/out"
result $? "selftest: exit status 1 if only cycles count"
[ "$(applied "$tmp/cycles.json" "STALL SVE_INST_SPEC")" = "STALL SVE_INST_SPEC" ] &&
	has_message nothing_tested
result $? "selftest: --apply without tested events changes nothing"
sed 's/\("name": "STALL".[^}]*verdict": "\)counts"/\1not tested"/2' "$tmp/report.json" |
	sed 's/\("name": "STALL".[^}]*verdict": "\)counts"/\1not tested"/' >"$tmp/part.json"
same "selftest: --apply keeps untested events and drops those that count" \
	"STALL_BACKEND STALL CRYPTO_SPEC" "$(applied "$tmp/part.json" "stall SVE_INST_SPEC")"
same "selftest: --apply reports the kept events" "  STALL" \
	"$(sed -n '/^kept of it/{n;p}' "$tmp/out")"
echo "state disabled" >"$tmp/setting/cpu5/status"
[ "$(applied "$tmp/report.json" STALL_BACKEND)" = none ] &&
	grep -q '^CPU 5 is not sampled' "$tmp/out"
result $? "selftest: --apply ignores CPUs that are not sampled"
echo "state disabled" >"$tmp/setting/cpu0/status"
same "selftest: --apply without a sampled CPU changes nothing" STALL \
	"$(applied "$tmp/report.json" STALL)"
echo "state disabled" >"$tmp/setting/status"
same "selftest: --apply uses all CPUs while sampling is off" "STALL_BACKEND CRYPTO_SPEC" \
	"$(applied "$tmp/report.json" STALL)"
rm "$tmp/setting/distrust"
refuses 3 no_module "selftest: --apply without the setting is refused" \
	selftest -i "$tmp/good.json" --apply -r "$tmp/setting"
if [ "$(uname -m)" != aarch64 ]; then
	mkdir -p "$tmp/setting"
	refuses 3 no_module "selftest: --apply checks the setting before the run" \
		selftest --apply -r "$tmp/setting"
fi

# one event does not count on the second CPU, three count nowhere: 224 - 3 and 224 - 3 - 1
"$here/make_selftest.py" "$events" STALL >"$tmp/stall.json"
run selftest -i "$tmp/stall.json"
# words_of CPU: of its lists, without those of events that do not count
words_of()
{
	sed "1,/^== CPU $1 ==/d; /^== CPU/,\$d" "$tmp/out" | sed '/^Do not count/,/^$/d' |
		xargs -n 1 | sort
}
words_of 0 >"$tmp/words0"
words_of 5 >"$tmp/words5"
sed -i '/^== CPU 0 ==/,/^== CPU 5 ==/{/^== CPU 5/!d}' "$tmp/out"
golden selftest.txt "selftest: the whole report of two CPUs, here the lists of the second"
same "selftest: the lists of the first CPU differ in one event" STALL \
	"$(comm -3 "$tmp/words0" "$tmp/words5")"
