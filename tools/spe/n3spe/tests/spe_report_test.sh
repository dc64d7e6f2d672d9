# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3stat spe report and profile, on recordings with known samples.

export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$PYTHONPATH:$here/../../libspe/tests:$here/../../tests"
spe=$tmp/spe
root=$spe/root
mkdir -p "$spe"
program=$spe/program
aarch64-linux-gnu-gcc -g -O1 -fno-inline -Wl,-q,--build-id -ffile-prefix-map="$here"=/src \
	-o "$program" "$here/spe_program.c" || exit 1

# report_of ARGUMENT...: complete JSON report of the recording
report_of()
{
	run spe report --symfs "$root" --json --top 100000 "$@" "$spe/a.data"
}

# recounted NAME ARGUMENT...: compares the last output with the counts of check_spe.py
recounted()
{
	name=$1
	shift
	cp "$tmp/out" "$spe/report.json"
	"$here/check_spe.py" "$spe/truth.json" "$spe/report.json" "$program" "$@" \
		>"$tmp/out" 2>"$tmp/err"
	result $? "$name"
}

for seed in 1 2 3; do
	"$here/make_spe.py" "$spe/a.data" "$spe/truth.json" "$program" "$root" \
		$seed 6000 || exit 1
	report_of
	recounted "spe report: everything counted once more, seed $seed"
done
for key in latency loads mispredicted walks late peer; do
	report_of --sort $key
	recounted "spe report: --sort $key" --sort $key
done
report_of -C 1
recounted "spe report: --cpu 1" --cpu 1
report_of --pid 200
recounted "spe report: --pid 200" --pid 200
report_of -C 0,2-3
recounted "spe report: --cpu 0,2-3" --cpu 0,2,3

# checked NAME SCRIPT ARGUMENT...: compares the report with the script's expectations
checked()
{
	name=$1 script=$2
	shift 2
	"$here/$script" "$@" >"$tmp/out" 2>"$tmp/err"
	result $? "spe report: $name"
}
for seed in 1 2 3; do
	checked "symbols at random in a program, seed $seed" spe_symbols_check.py elf "$n3stat" \
		"$spe" $seed
	checked "symbols at random in a kernel, seed $seed" spe_symbols_check.py kernel "$n3stat" \
		"$spe" $seed
	checked "numbers of threads used again, seed $seed" spe_tasks_check.py "$n3stat" "$spe" $seed
	checked "numbers of processes used again, seed $seed" \
		spe_tasks_check.py "$n3stat" "$spe" $seed --switches
	checked "several files of one path, seed $seed" spe_files_check.py "$n3stat" "$spe" $seed
	checked "cores of several makers, seed $seed" spe_cores_check.py "$n3stat" "$spe" $seed
done

checked "lines of programs of gcc and clang" spe_lines_check.py "$n3stat" "$spe"
checked "names and lines of a kernel and its module" spe_kernel_check.py \
	"${FUZZ%/*}/kernel_names" "$spe"
"$here/spe_variants_check.py" "$n3stat" "$spe" >"$tmp/out" 2>"$tmp/err"
result $? "spe report: variants of perf.data, and damaged ones"
mkdir "$spe/programs"
checked "names and lines of programs as they are built and stripped" spe_programs_check.py \
	"$n3stat" "$spe/programs"

run spe report --symfs "$root" --cpu 99 "$spe/a.data" && has_message no_records
result $? "spe report: a warning without records of the CPUs"

# text and page match the JSON
run spe report --symfs "$root" --top 3 "$spe/a.data"
cp "$tmp/out" "$spe/text"
run spe report --symfs "$root" --top 3 --json --page "$spe/page.html" "$spe/a.data" &&
	"$here/spe_report_cases.py" texts_match "$tmp/out" "$spe/text" "$spe/page.html" 2>"$tmp/err"
result $? "spe report: text and page have the rows of the JSON"
grep -q 'micro-operations, not instructions' "$spe/page.html"
result $? "spe report: the page lists its limits"
same "spe report: the page is private" 600 "$(stat -c %a "$spe/page.html")"
echo old >"$spe/old.html"
chmod 644 "$spe/old.html"
run spe report --symfs "$root" --page "$spe/old.html" "$spe/a.data"
same "spe report: the page is private even if it replaces a public file" 600 \
	"$(stat -c %a "$spe/old.html")"
if command -v chromium >/dev/null; then
	"$shared/browser.py" "$spe/page.html" >"$tmp/dom"
	has_lines "$tmp/dom" '<h2 id=' 16
	result $? "spe report: a browser shows the page"
else
	skip "spe report: a browser shows the page" "no chromium"
fi

# the whole screens of a few records; make_few.py derives the numbers
"$here/make_few.py" "$spe/few.data" || exit 1
touch -d 2026-11-23T00:00:00Z "$spe/few.data"
"$here/spe_report_cases.py" write_many_branches "$spe/many.data" "$spe/other.data" "$spe/flat"
(cd "$spe" && run spe report --symfs "$spe/nothing" few.data)
golden spe-report.txt "spe report: the whole report of ten records"
run spe profile --symfs "$spe/flat" "$spe/few.data"
golden spe-profile.txt "spe profile: the whole profile of ten records"

# symbols: of another file of the same name, none, and --kallsyms
ffff=ffff8000
printf '%s10000000 T other_copy\n%s10000400 T other_lock\n' $ffff $ffff >"$spe/kallsyms"
report_of --kallsyms "$spe/kallsyms"
grep -q '"function": "other_lock"' "$tmp/out" && ! grep -q kernel_lock "$tmp/out"
result $? "spe report: --kallsyms replaces the recording's symbols"
sed -i 's/^[0-9a-f]*/0000000000000000/' "$spe/kallsyms"
refuses 1 "kernel_addresses_hidden $spe/kallsyms" \
	"spe report: a copy of /proc/kallsyms without addresses" \
	spe report --kallsyms "$spe/kallsyms" "$spe/a.data"
truncate -s 32M "$spe/kallsyms"
refuses 1 "cannot_read $spe/kallsyms.*large" "spe report: a copy of /proc/kallsyms of 32 MB" \
	spe report --kallsyms "$spe/kallsyms" "$spe/a.data"
run spe report --symfs "$spe/nothing" --json "$spe/a.data" &&
	has_message binary_unreadable '' 2 && grep -q '0 no symbol\|\[no symbol\]' "$tmp/out"
result $? "spe report: without the programs, addresses and a warning for each"
"$here/spe_report_cases.py" write_build_ids "$spe/id.data" "$program"
run spe report --symfs "$root" --json "$spe/id.data" && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
	has_message binary_unreadable /opt/other && [ "$(grep -c '"function": "\[no' "$tmp/out")" -eq 1 ]
result $? "spe report: a file with another build ID is not used"

# a case of spe_report_cases.py, and what it shows. A container chooses names; a child's name on one
# CPU is read before its fork on another; a lost record may be a switch
while read -r case name; do
	"$here/spe_report_cases.py" "$case" "$spe" "$n3stat" >"$tmp/out" 2>"$tmp/err"
	result $? "spe $name"
done <<-'END'
	unknown_processes report: invalid processes are unknown
	plain_names report: names are shown as plain text
	last_names report: last name of a process, for any order of CPUs
	lost_switches report: after lost records the process is unknown up to the next switch
END

# profile
"$here/make_branches.py" "$spe/b.data" "$spe/profile.want" "$program" || exit 1
run spe profile --symfs "$root" "$spe/b.data" &&
	LC_ALL=C sort "$tmp/out" | cmp - "$spe/profile.want" &&
	cp "$tmp/out" "$spe/profile" && [ "$(wc -l <"$tmp/err")" -eq 1 ]
result $? "spe profile: taken branches and straight runs"
run spe profile --symfs "$root" --program /opt/prog -o "$spe/profile2" "$spe/b.data" &&
	cmp "$spe/profile" "$spe/profile2"
result $? "spe profile: --program and -o"
"$here/make_branches.py" "$spe/c.data" "$spe/c.want" "$program" --no-previous || exit 1
run spe profile --symfs "$root" "$spe/c.data" && LC_ALL=C sort "$tmp/out" | cmp - "$spe/c.want"
result $? "spe profile: only branches without previous targets"
refuses 5 "unknown_program /opt/none" "spe profile: an unknown program" \
	spe profile --symfs "$root" --program /opt/none "$spe/b.data"

# 1,048,576 different branches are kept: 100 more, each from its own address to the same one
run spe profile --symfs "$spe/flat" "$spe/many.data" &&
	[ "$(grep -c '^B ' "$tmp/out")" -eq 1048576 ] &&
	has_message branches_dropped 'many.data: 100 branches .* 1048576'
status=$?
: >"$tmp/out"
result $status "spe profile: a warning of branches that exceed the maximum"
# KiB of data, unlike -v without the code of libraries: the start takes up to 4000, the branches
# take more than 32000
# shellcheck disable=SC3045 # any sh here has -d
(ulimit -d 16000 && "$plain_n3stat" spe profile --symfs "$spe/flat" "$spe/many.data" \
	>"$tmp/out" 2>"$tmp/err")
[ $? -eq 1 ] && [ ! -s "$tmp/out" ] && has_message out_of_memory
result $? "spe profile: too little memory for the branches"
refuses 1 "wrong_binary $root/opt/prog" "spe profile: a program with another build ID" \
	spe profile --symfs "$root" "$spe/other.data"

# files other than recordings
: >"$spe/empty"
echo text >"$spe/other"
mkfifo "$spe/fifo"
for command in report profile; do
	refuses 1 not_a_recording "spe $command: another file" spe $command "$spe/other"
done
for command in report profile; do
	refuses 1 empty_recording "spe $command: an empty file" spe $command "$spe/empty"
	refuses 1 cannot_read "spe $command: no file" spe $command "$spe/none"
	refuses 1 threads_recording "spe $command: a directory" spe $command "$spe"
	refuses 1 cannot_read "spe $command: a fifo" spe $command "$spe/fifo"
	refuses 1 "cannot_read perf.data" "spe $command: without a file, perf.data" spe $command
	refuses 2 too_many_arguments "spe $command: two files" spe $command a b
done
for bad in --sort=none --top=0 --top=1x --cpu=x --cpu=3-1 --pid=-1; do
	refuses 2 bad_value "spe report: $bad" spe report $bad "$spe/a.data"
done
refuses 2 input_is_output "spe report: the page does not overwrite the recording" \
	spe report --page "$spe/a.data" "$spe/a.data"
refuses 2 input_is_output "spe profile: the profile does not overwrite the recording" \
	spe profile --symfs "$root" -o "$spe/b.data" "$spe/b.data"

# memory: 10 million records at random addresses in the long version
if [ -n "${N3STAT_PLAIN:-}" ]; then
	records=1000000
	[ -z "${LONG:-}" ] || records=10000000
	"$here/spe_report_cases.py" memory "$N3STAT_PLAIN" "$spe/big.data" $records \
		>"$tmp/out" 2>"$tmp/err"
	result $? "spe report: $records records at random addresses in 64 MB, within the bound printed"
	rm -f "$spe/big.data"
else
	skip "spe report: memory" "no program without sanitizers"
fi

# the same million records: one pass of n3stat, and perf, which synthesises samples first
if [ -n "${LONG:-}" ] && [ -n "${N3STAT_PLAIN:-}" ] && command -v perf >/dev/null; then
	"$here/spe_report_cases.py" ratio "$spe" "$N3STAT_PLAIN" >"$tmp/out" 2>"$tmp/err"
	result $? "spe report: a million records 20 times faster than perf mem report"
	rm -f "$spe"/ratio.*
else
	skip "spe report: 20 times faster than perf mem report" "LONG=1 and perf only"
fi

run spe report --symfs "$root" --json "$spe/a.data" &&
	"$shared/check_keys.py" <"$tmp/out" 2>"$tmp/err"
result $? "spe report --json: keys without blanks, and simulated is false"
