#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# spe_profile.sh - records a program on an emulated N3 with SPE that samples the program's
# own branches, and passes n3stat's profile to Debian's BOLT. TAP; output is in
# build/spe_profile. SEED= repeats a run.

# shellcheck source=../../qemu/lib.sh
. "$(dirname "$0")/../../qemu/lib.sh"

period=2048
out=$BUILD/spe_profile
results=$out/results
n3stat=$BUILD/tools/n3stat
here=$TOP/selftests/spe/qemu
expected=$here/spe_expected.py
tests=0

# result STATUS NAME - a line of TAP; $out/said follows a failure
result() {
	tests=$((tests + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $tests - $2"
	else
		echo "not ok $tests - $2"
		sed 's/^/# /' "$out/said" | tail -n 20
	fi
}

# check NAME COMMAND...
check() {
	local name=$1 rc=0
	shift

	"$@" > "$out/said" 2>&1 || rc=$?
	result $rc "$name"
}

# functions PROGRAM - functions that may move, by address
functions() {
	"${CROSS}nm" -n "$1" | awk '$3 ~ /^(hot|leaf|cold_[0-9]+)$/ { print $3 }'
}

echo 1..13
guest_programs
"${CROSS}gcc" -g -O1 -fno-inline -ffile-prefix-map="$TOP/tools/spe/n3spe/tests"=/src \
	-Wl,-q,--build-id -o "$BUILD/selftests/spe_program" "$TOP/tools/spe/n3spe/tests/spe_program.c"
# app NAME FACTOR - one of two programs with different code
app() {
	"${CROSS}gcc" -O1 -static -Wl,--build-id -DNAME="hot_of_$1" -DFACTOR="$2" \
		-o "$BUILD/selftests/spe_app_$1" "$TOP/tools/spe/n3spe/tests/spe_app.c"
}
app one 3
app two 5
export SEED=${SEED:-$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')}
echo "# SEED=$SEED"
# the program at its original path, and the recording
recording=(--symfs "$out/root" "$results/program.data")
rc=0
"$QEMU_DIR/run.sh" -k 6.1 -m spe-real -s 1 -o "$out" "$here/guest.sh" "$period" > "$out.log" 2>&1 ||
	rc=$?
cp "$out.log" "$out/said"
result $rc "the emulated machine records the program"
program=$out/root/selftests/spe_program
mkdir -p "${program%/*}"
mv "$BUILD/selftests/spe_program" "$program"
if [ $rc -ne 0 ]; then
	echo "Bail out! no recording"
	exit 1
fi
sed 's/^/# /' "$results/said"

recorded() {
	grep -x 'n3stat: 0 lost windows' "$results/said" && [ "$(cat "$results/record.rc")" -eq 0 ]
}
check "the program exits with 0, no window is lost" recorded
check "spe profile writes the profile" \
	"$n3stat" spe profile -o "$out/program.profile" "${recording[@]}"
sed 's/^/# /' "$out/said"

same_profile() {
	"$expected" profile "$results/wrote" "$program" > "$out/expected.profile"
	[ -s "$out/expected.profile" ] || return 1
	LC_ALL=C sort "$out/program.profile" | diff "$out/expected.profile" -
}
check "the profile matches the sums of the machine's own log" same_profile

# one branch in sixteen is randomly mispredicted
mispredicted() {
	awk '$1 == "B" { n += $4; missed += $5 }
		END { print missed, "of", n; exit !(missed > n / 24 && missed < n / 12) }' \
		"$out/program.profile"
}
check "the profile has mispredictions" mispredicted

# The report
same_total() {
	"$n3stat" spe report --json "${recording[@]}" > "$out/report.json"
	python3 - "$out/report.json" "$results/fates" <<-'END'
	import json, sys
	report, fates = json.load(open(sys.argv[1])), dict(l.split() for l in open(sys.argv[2]))
	got = report["recording"]["records"]
	assert got == int(fates["written"]) > 10000, (got, fates)
	assert report["limits"]["complete"] == "yes"
	END
}
check "spe report: all records written by the machine are counted" same_total
hot_first() {
	local want

	want=$("$expected" share "$results/wrote" "$program") || return 1
	"$here/spe_hot_first.py" "$out/report.json" "$want"
}
check "spe report: the hot function is first, with the share of its loop" hot_first

# perf: every sample, its program and the file
owned() {
	"$1" script -i "$results/program.data" --itrace=i1i -F comm,ip,dso 2> "$out/perf.said" |
		awk '{ print $1, $2, $3 == "(/selftests/spe_program)" ? "program" : "other" }' |
		LC_ALL=C sort > "$out/owners"
	"$expected" owners "$results/wrote" "$program" | sed 's/^/spe_program /' |
		LC_ALL=C sort | diff - "$out/owners" > "$out/owners.diff"
	rc=$?
	head -n 10 "$out/perf.said" "$out/owners.diff"
	return $rc
}
newest=$("$QEMU_DIR/perf.sh")
for perf in perf "$newest"; do
	check "perf script of $("$perf" --version): the samples and owners of the machine's log" \
		owned "$perf"
done

# Two containers: the first was mapped before, so that n3stat found its build ID
containers() {
	local name

	cat "$results/containers.said"
	[ "$(cat "$results/containers.rc")" -eq 0 ] || return 1
	for name in one two; do
		mkdir -p "$out/root_$name/srv"
		cp "$BUILD/selftests/spe_app_$name" "$out/root_$name/srv/app"
		"$n3stat" spe report --json --symfs "$out/root_$name" "$results/containers.data" \
			> "$out/containers_$name.json" || return 1
	done
	"$here/spe_containers.py" "$out"
}
check "spe report: two containers with the same path are resolved from their own files" containers

# BOLT; Debian's perf2bolt-19 is llvm-bolt
bolt=$(find /usr/lib/llvm-*/bin -name perf2bolt | sort -V | tail -n 1)
[ -n "$bolt" ] || bolt=perf2bolt
accepted() {
	"$bolt" "$program" -p "$out/program.profile" -pa -o "$out/fdata" > "$out/perf2bolt" 2>&1
	cat "$out/perf2bolt"
	grep -q 'traces mismatching disassembled function contents: 0 ' "$out/perf2bolt" &&
		grep -q 'unknown regions: 0 ' "$out/perf2bolt" && grep -q 'hot.*leaf' "$out/fdata"
}
check "perf2bolt accepts the profile, no trace mismatches" accepted
rm -f "$out/moved"
optimised() {
	"${bolt%perf2bolt}llvm-bolt" "$program" -o "$out/moved" -data "$out/fdata" \
		-reorder-functions=hfsort -reorder-blocks=ext-tsp > "$out/llvm-bolt" 2>&1
	cat "$out/llvm-bolt"
	! grep -E 'stale|does not match' "$out/llvm-bolt"
}
check "llvm-bolt accepts the profile, without stale functions" optimised
moved() {
	functions "$program" | sed 's/^/before: /'
	functions "$out/moved" | sed 's/^/after: /'
	[ "$(functions "$program" | head -n 1)" = cold_11 ] &&
		[ "$(functions "$out/moved" | head -n 2 | xargs)" = "hot leaf" ]
}
check "llvm-bolt moves the hot functions before the cold ones" moved
