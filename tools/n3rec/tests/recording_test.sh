# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# The format of recordings: contents, size, damaged files, pipes.
# recording_read.py and compare_recording.py implement the description in recording.h.
# on: test-long

made shape --cpus 3 --nodes 1 --lean retiring
# all_are WORD COVERAGE SLICES FILE...: this word instead of each value
all_are()
{
	keys="coverage=$2 slices=$3 estimate=$1 estimate_low=none estimate_high=none"
	keys="value=$1 low=none high=none $keys"
	shift 3
	sed -i "s/^\([a-z_0-9]*\) .*/\1 $keys/" "$@"
}
# one SEED: a new tree; in some, CPU 1 is offline or CPU 2 idle
one()
{
	"$shared/make_tree.py" "$made" --cpus 3 --seed "$1"
	[ "$1" != 23 ] || all_are idle 3.21 17 "$made"/cpu2/quality/*
	[ "$1" != 24 ] || all_are offline 0.00 0 "$made"/cpu1/quality/*
}
status=0
mkdir "$tmp/one"
for seed in 21 22 23 24 25; do
	one $seed
	run -r "$made" record -q -o "$tmp/one/$seed.rec" 0.01 1 &&
		"$here/compare_recording.py" "$made" "$tmp/one/$seed.rec" 155 >"$tmp/out" 2>"$tmp/err" || {
		status=1
		break
	}
done
result $status "recording: a snapshot matches the tree, read according to the format"

# the same in one recording: the last snapshot depends on all previous ones
"$n3stat" -r "$made" record -q -o "$tmp/many.rec" 0.1 2>"$tmp/err" &
pid=$!
for seed in 21 22 23 24 25; do
	one $seed
	# a snapshot that began after it is complete
	seen=$(snapshots "$tmp/many.rec")
	within 60 "two more snapshots" has_snapshots "$tmp/many.rec" $((seen + 2))
done
kill -TERM $pid
ends $pid
"$here/compare_recording.py" "$made" "$tmp/many.rec" 155 >"$tmp/out" 2>"$tmp/err"
result $? "recording: the last of many different snapshots also matches"
"$here/check_table.py" "$n3stat" "$tmp/many.rec" 700 >"$tmp/out" 2>"$tmp/err"
result $? "report: every number of every snapshot according to the format"
# a plausible workload: size, and exact values and estimates
"$here/make_recording.py" --cpus 24 --snapshots 100 --seed 5 >"$tmp/work.txt"
pack <"$tmp/work.txt" >"$tmp/work.rec" 2>"$tmp/err"
text "$tmp/work.rec" >"$tmp/work.out" 2>"$tmp/err"
"$here/check_rounding.py" "$tmp/work.txt" "$tmp/work.out" >"$tmp/out" 2>&1
result $? "recording: values are exact, intervals rounded outwards by 1/64"
[ $((100 * $(stat -c %s "$tmp/work.rec"))) -lt $((12 * $(stat -c %s "$tmp/work.txt"))) ]
result $? "recording: less than 12 % of the size of text"

mkdir "$tmp/odd"
"$here/make_odd.py" "$tmp/odd" 2>"$tmp/err" || cat "$tmp/err"
# mean and error of ipc and branch_mpki in each snapshot
for at in 0 2 4 6; do
	run report --from $at --to $at "$tmp/odd/good" && [ ! -s "$tmp/err" ] &&
		awk '/^(ipc|branch_mpki) / { printf "%s %s ", $2, $3 }' "$tmp/out"
done >"$tmp/good"
known="1.5700 none idle - 1.50 0.02 3.00 none 1.50 0.02 3.00 none 1.50 0.02 7.00 none "
[ "$(cat "$tmp/good")" = "$known" ]
result $? "recording: handmade according to the format"
status=0
for file in "$tmp"/odd/bad_* "$tmp"/odd/size_*; do
	case $file in
	*/bad_head) nr=0 ;;
	*) nr=1 ;;
	esac
	run report "$file"
	[ $? -eq $((1 - nr)) ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
		[ "$(grep -c ': cpu0, 1 snapshot$' "$tmp/out")" -eq $nr ] &&
		{ has_message incomplete_recording '(byte [0-9]+; 1 snapshot |1 complete one )' ||
		has_message empty_recording; } || {
		echo "$file" >>"$tmp/out"
		status=1
		break
	}
done
result $status "recording: damage is reported, whatever the checksum, and all before it is read"
(
	# shellcheck disable=SC3045 # dash and bash have it
	ulimit -d 60000
	"$N3STAT_PLAIN" report "$tmp/odd/bad_bomb" && "$N3STAT_PLAIN" report "$tmp/odd/bad_text_bomb"
) >"$tmp/out" 2>"$tmp/err"
[ $? -eq 0 ] && has_message incomplete_recording 'at byte [0-9]+' 2
result $? "recording: data that expand to 400 MB do not use 60 MB"
for other in older newer; do
	refuses 1 "unknown_version another version" "recording: reports another format, $other" \
		report "$tmp/odd/$other"
done

{ printf 'n3stat-recording 4\n' && head -c 3000000 /dev/zero; } >"$tmp/line.rec"
refuses 1 "damaged_recording line 2" "recording: an unterminated line is refused" \
	report "$tmp/line.rec"

# one byte changed, or the rest missing, at many offsets
head -c 20000 "$tmp/many.rec" >"$tmp/some.rec"
cat >"$tmp/harm.py" <<'END_OF_HARM'
import random, re, struct, subprocess, sys
program, path, scratch = sys.argv[1:]
data = open(path, "rb").read()
first = at = data.index(b"\n", data.index(b"\ncolumns") + 1) + 1
ends = []
while at + 4 <= len(data):
    at += 8 + struct.unpack_from("<I", data, at)[0]
    if at <= len(data):
        ends.append(at)
rng, seen = random.Random(3), set()
assert len(ends) >= 3, ends
for at in sorted({*range(first, first + 12), *range(ends[0] - 6, ends[0] + 6),
                  *range(ends[1] - 6, ends[1] + 6),
                  *(rng.randrange(first, ends[2]) for _ in range(60))}):
    for harm in "cut", "flip":
        kept = data[:at]
        if harm == "flip":
            kept += bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1:]
        open(scratch, "wb").write(kept)
        run = subprocess.run([program, "report", scratch], capture_output=True, text=True)
        whole = sum(end <= at for end in ends)
        assert run.returncode == (not whole), (harm, at, run)
        assert whole or not run.stdout, (harm, at, run)
        assert whole or run.stderr.endswith(" [empty_recording]\n"), (harm, at, run)
        assert not whole or re.search(rf": system, {whole} snapshots?$", run.stdout, re.M), \
            (harm, at, whole, run)
        clean = harm == "cut" and at in ends
        assert run.stderr.count("\n") == (not clean), (harm, at, run.stderr)
        seen.add(whole)
assert len(seen) >= 3, seen
END_OF_HARM
python3 "$tmp/harm.py" "$n3stat" "$tmp/some.rec" "$tmp/harmed.rec" >"$tmp/out" 2>"$tmp/err"
result $? "recording: truncated or damaged at any byte: reported, and all before is read"

# the file has every snapshot that a killed recorder had reported
"$n3stat" -r "$made" record -q -o - 0.05 2>"$tmp/err" >"$tmp/killed.rec" &
pid=$!
within 60 "five snapshots" has_snapshots "$tmp/killed.rec" 5
kill -9 $pid
wait $pid 2>/dev/null
last=$(stat -c %Y "$tmp/killed.rec")
text "$tmp/killed.rec" >"$tmp/out" 2>"$tmp/err"
[ ! -s "$tmp/err" ] && awk -v last="$last" \
	'/^t / { n++; t = $2 } END { exit !(n > 3 && last - t < 2) }' "$tmp/out"
result $? "recording: has every snapshot of a killed recorder"
for signal in INT TERM HUP; do
	"$n3stat" -r "$made" record -q -o "$tmp/$signal.rec" 0.05 2>"$tmp/err" &
	pid=$!
	within 60 "a snapshot" has_snapshots "$tmp/$signal.rec" 1
	kill -$signal $pid
	ends $pid && text "$tmp/$signal.rec" >"$tmp/out" 2>"$tmp/err" && [ ! -s "$tmp/err" ] &&
		grep -q '^end$' "$tmp/out"
	result $? "record: SIG$signal ends it without loss"
done
# shellcheck disable=SC2002 # a pipe is what is tested
cat "$tmp/many.rec" | "$n3stat" report - >"$tmp/out" 2>"$tmp/err" &&
	"$n3stat" report "$tmp/many.rec" | sed "s|^$tmp/many.rec: |-: |" | cmp -s "$tmp/out" - &&
	"$n3stat" -r "$made" record -q -o - 0.1 2 2>"$tmp/err" |
		"$n3stat" report - >"$tmp/out" 2>"$tmp/err" &&
	grep -q ': system, 2 snapshots$' "$tmp/out"
result $? "recording: is written to a pipe and read from one"

refuses 1 "cannot_write No space" "record: reports a full disk" \
	-r "$made" record -q -o /dev/full 0.01 2
timeout 120 script -qec "'$n3stat' -r '$made' record -q -o - 0.01 1" /dev/null >"$tmp/out" 2>&1
grep -q '\[output_to_terminal\]' "$tmp/out" && ! grep -q places "$tmp/out"
result $? "record: does not write to a terminal"

# stopped for 4 s after the first snapshot, on any machine
"$n3stat" -r "$made" record -q -C 0 -o "$tmp/slow.rec" 1 4 2>"$tmp/err" &
pid=$!
within 60 "a snapshot" has_snapshots "$tmp/slow.rec" 1
kill -STOP $pid
sleep 4
kill -CONT $pid
ends $pid
status=$?
cp "$tmp/err" "$tmp/told"
text "$tmp/slow.rec" >"$tmp/out" 2>"$tmp/err"
[ $status -eq 0 ] && [ "$(wc -l <"$tmp/told")" -eq 1 ] &&
	"$here/check_fell_behind.py" "$tmp/out" "$tmp/told" >"$tmp/reached" 2>>"$tmp/err"
result $? "record: a recorder that fell behind reports its interval; the recording has the times"
# A busy machine may delay one attempt, but not each of several.
for _ in 1 2 3; do
	run -r "$made" record -q -C 0 -o "$tmp/quick.rec" 2 2
	status=$?
	[ $status -eq 0 ] && [ -s "$tmp/err" ] || break
done
[ $status -eq 0 ] && [ ! -s "$tmp/err" ]
result $? "record: no message from one that did not"
