#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Event names in the CPU PMU's events directory. Loading adds a name for every event that
# the PMU can count (both names of a renamed event) and leaves the driver's own files alone;
# perf lists these names and counts with them; unloading removes exactly these. On the CPUs'
# own PMU and on the simulated one, whose rates are known, each name counts its event.
# machine: n3-icount

. "$(dirname "$0")/../lib/n3.sh"
. "$(dirname "$0")/../lib/perf.sh"

plan 22

# names - "name number" of all expected names: lower case, number in hexadecimal without
# leading zeros
names() {
	awk -F '\t' '
	/^#/ || $2 == "CHAIN" || $5 !~ /PMU/ { next }
	{
		number = tolower($1)
		sub(/^0x0*/, "", number)
		if (number == "")
			number = 0
		print tolower($2), number
		if ($3 != "-")
			print tolower($3), number
	}' "$SPEC/events.tsv" | sort
}

# present PMU - the same for the names that exist
present() {
	(cd "$1/events" && grep . -- *) |
		sed -n 's/^\([^:]*\):event=0x0*\([0-9a-f][0-9a-f]*\)$/\1 \2/p' | sort
}

# contents PMU - names, owners, modes and contents of the files
contents() {
	(cd "$1/events" && stat -c '%n %A %u %g' -- * && grep . -- *)
}

# is_subset A B - whether B contains all lines of A; prints the missing ones
is_subset() {
	awk 'FNR == NR { have[$0]; next } !($0 in have) { print; n++ }
		END { exit n > 0 }' "$2" "$1"
}

# perf_counts PMU SECONDS - "name count cycles" for each name on CPU 0, from groups of
# cycles and six other events, which perf multiplexes. Events of a group start and stop
# together, so each count comes with the cycles of the same time.
perf_counts() {
	groups=$(awk -v pmu="$1" '{
		printf "%s%s/%s/", NR % 6 == 1 ? comma "{" pmu "/cpu_cycles/," : ",", pmu, $1
		if (NR % 6 == 0)
			printf "}"
		comma = ","
	}
	END { if (NR % 6) printf "}" }' "$tmp/names")
	perf stat -x , -o "$tmp/perf" -C 0 -e "$groups" sleep "$2"
	sed -n 's/^\([^,]*\),.*,[^/]*\/\([^/]*\)\/,.*/\2 \1/p' "$tmp/perf" |
		awk 'nr++ % 7 == 0 { cycles = $2; next } { print $0, cycles }'
}

# all_counted FILE - whether each name has a number
all_counted() {
	grep -v ' [0-9][0-9]* [0-9][0-9]*$' "$1"
	[ "$(grep -c ' [0-9][0-9]* [0-9][0-9]*$' "$1")" -eq "$(wc -l < "$tmp/names")" ]
}

# right_events FILE RATES - whether each name counts at the rate of the event that the
# specification gives for its number
right_events() {
	awk '
	FILENAME == ARGV[1] { share[$1] = $2 / $3; next }
	FILENAME == ARGV[2] { rate[tolower($1)] = $2; next }
	{ number[$1] = $2; if ($1 in rate) rate_of[$2] = rate[$1] }
	END {
		for (name in number) {
			expected = rate_of[number[name]] / rate["cpu_cycles"]
			off = share[name] / expected - 1
			if (off < 0)
				off = -off
			if (off > worst)
				worst = off
			if (off > 0.01) {
				print name, share[name], "expected", expected
				wrong++
			}
		}
		printf "largest error %.4f %%\n", worst * 100
		exit wrong > 0
	}' "$1" "$2" "$tmp/names"
}

names > "$tmp/names"
grep -E '^(stall_slot|op_retired|l1d_cache_lmiss_rd) ' "$tmp/names" > "$tmp/common"
pmu=$(own_pmu)
dir=$PMUS/$pmu
[ -d "$dir/events" ] || bail "no CPU PMU"
contents "$dir" > "$tmp/contents.before"
present "$dir" > "$tmp/before"
diag "the driver of $pmu names $(wc -l < "$tmp/before") events itself"
# PMCEID has these, and every driver since 6.1 knows them
check "the driver of $pmu names stall_slot, op_retired and l1d_cache_lmiss_rd" \
	is_subset "$tmp/common" "$tmp/before"

check "n3_telemetry loads" load n3_telemetry
present "$dir" > "$tmp/after"
contents "$dir" > "$tmp/contents.after"
same "the specification gives 228 event names" 228 "$(wc -l < "$tmp/names")"
check "loading adds every event name with its number to the PMU's events directory" \
	is_subset "$tmp/names" "$tmp/after"
cat "$tmp/names" "$tmp/before" > "$tmp/allowed"
check "loading adds nothing else to the PMU's events directory" \
	is_subset "$tmp/after" "$tmp/allowed"
check "loading leaves the driver's own event files unchanged" \
	is_subset "$tmp/contents.before" "$tmp/contents.after"
same "chain, pmu_ovfs and pmu_hovfs, which cannot be counted, get no event name" "" \
	"$(grep -E '^(chain|pmu_ovfs|pmu_hovfs) ' "$tmp/after")"

perf list --raw-dump pmu 2>/dev/null | tr ' ' '\n' > "$tmp/listed"
sed "s,^\([^ ]*\) .*,$pmu/\1/," "$tmp/names" > "$tmp/to_list"
check "perf list shows every event name" is_subset "$tmp/to_list" "$tmp/listed"

for name in imp_stall_backend_mcq imp_l2_chi_cbusy3 imp_l2_chi_rx_cbusy_3; do
	perf stat -x , -o "$tmp/perf" -C 0 -e "$pmu/$name/" sleep 0.2
	check "perf stat counts $name while the module samples" \
		grep '^[0-9][0-9]*,' "$tmp/perf"
done
# a task's own events get no counter while all counters are held
echo 0 > $N3T/enable
perf stat -x , -o "$tmp/perf" -e "$pmu/imp_ls_raw_hazard/,$pmu/cpu_cycles/" true
same "perf stat counts imp_ls_raw_hazard and cpu_cycles of a task with enable 0" 2 \
	"$(grep -c '^[0-9][0-9]*,' "$tmp/perf")"
perf_counts "$pmu" 2 > "$tmp/counts"
check "perf stat counts every event name on the CPUs' own PMU" all_counted "$tmp/counts"
check "every event name on the CPUs' own PMU counts at its event's rate within 1 %" \
	right_events "$tmp/counts" "$tmp/rates.0"

check "n3_telemetry unloads" unload n3_telemetry
contents "$dir" > "$tmp/contents.after"
check "unloading restores the PMU's events directory: names, owners, modes, contents" \
	cmp "$tmp/contents.before" "$tmp/contents.after"

check "n3_sim loads" load n3_sim
check "n3_telemetry loads on n3_sim with enable 0" load n3_telemetry pmu=n3_sim enable=0
set_rates 0 "$SEED"
perf_counts n3_sim 2 > "$tmp/counts"
check "perf stat counts every event name on n3_sim" all_counted "$tmp/counts"
check "every event name on n3_sim counts at its event's rate within 1 %" \
	right_events "$tmp/counts" "$tmp/rates.0"

# A name that is removed during use. perf runs its command once it counts; the event is
# multiplexed with the module's until these are gone, and perf scales its count.
put $N3T/enable 1
stat_lines -C 0 -e n3_sim/stall_slot_backend/ sh -c "> $tmp/counting; sleep 2" &
perf=$!
wait_until [ -e "$tmp/counting" ]
check "n3_telemetry unloads while perf counts with one of its event names" unload n3_telemetry
wait $perf
rate=$(awk '$1 == "STALL_SLOT_BACKEND" { print $2 }' "$tmp/rates.0")
within "perf counts stall_slot_backend at its rate within 2 % through the unload" \
	$((rate / 100 * 98)) "$(awk '{ print $4 }' "$tmp/lines")" $((rate / 100 * 102 + 100))
