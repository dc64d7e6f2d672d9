#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Loading names every event that the PMU can count in the CPU PMU's own folder,
# under both names where an event was renamed, and leaves alone what the driver
# has put there; perf lists the names and counts with them; unloading takes
# exactly these names away. On the simulated PMU, whose rates are known, each name
# counts the event that it stands for.
# machine: turns

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/lib_sim.sh"

plan 18

# names - "name number" of all that has to be there: lower case, and the number
# in hexadecimal without leading zeros
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

# folder PMU - the same of what is there
folder() {
	(cd "$1/events" && grep . -- *) |
		sed -n 's/^\([^:]*\):event=0x0*\([0-9a-f][0-9a-f]*\)$/\1 \2/p' | sort
}

# to_the_letter PMU - names, owners, modes and contents as they are
to_the_letter() {
	(cd "$1/events" && stat -c '%n %A %u %g' -- * && grep . -- *)
}

# absent A B - prints the lines of A that B does not have; true if it has all
absent() {
	awk 'FNR == NR { have[$0]; next } !($0 in have) { print; n++ }
		END { exit n > 0 }' "$2" "$1"
}

# perf_counts PMU SECONDS - "name count cycles" for each name, on CPU 0: groups of
# cycles and six others that perf counts in turn. Events of one group begin and
# end together, so the cycles beside an event are those of its own time.
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

# all_counted FILE - a number for each name
all_counted() {
	grep -v ' [0-9][0-9]* [0-9][0-9]*$' "$1"
	[ "$(grep -c ' [0-9][0-9]* [0-9][0-9]*$' "$1")" -eq "$(wc -l < "$tmp/names")" ]
}

# right_events FILE RATES - does each name count at the rate of the event that its
# number stands for in the specification
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
set -- $PMUS/armv8_pmuv3*
dir=$1
pmu=${dir##*/}
[ -d "$dir/events" ] || bail "no CPU PMU"
to_the_letter "$dir" > "$tmp/letter.before"
folder "$dir" > "$tmp/before"
diag "the driver of $pmu names $(wc -l < "$tmp/before") events itself"

check "n3_telemetry loads" load n3_telemetry
folder "$dir" > "$tmp/after"
to_the_letter "$dir" > "$tmp/letter.after"
same "the specification gives 228 names" 228 "$(wc -l < "$tmp/names")"
check "each is there with its event number" absent "$tmp/names" "$tmp/after"
cat "$tmp/names" "$tmp/before" > "$tmp/allowed"
check "nothing else is" absent "$tmp/after" "$tmp/allowed"
check "the driver's own files are as before" \
	absent "$tmp/letter.before" "$tmp/letter.after"
same "not chain, pmu_ovfs, pmu_hovfs" "" \
	"$(grep -E '^(chain|pmu_ovfs|pmu_hovfs) ' "$tmp/after")"

perf list --raw-dump pmu 2>/dev/null | tr ' ' '\n' > "$tmp/listed"
sed "s,^\([^ ]*\) .*,$pmu/\1/," "$tmp/names" > "$tmp/to_list"
check "perf lists them" absent "$tmp/to_list" "$tmp/listed"

for name in imp_stall_backend_mcq imp_l2_chi_cbusy3 imp_l2_chi_rx_cbusy_3; do
	perf stat -x , -o "$tmp/perf" -C 0 -e "$pmu/$name/" sleep 0.2
	check "perf stat counts $name while the module samples" \
		grep '^[0-9][0-9]*,' "$tmp/perf"
done
# a task's own events have no chance while all counters are held
echo 0 > $N3T/enable
perf stat -x , -o "$tmp/perf" -e "$pmu/imp_ls_raw_hazard/,$pmu/cpu_cycles/" true
same "perf stat counts names of a task" 2 "$(grep -c '^[0-9][0-9]*,' "$tmp/perf")"
perf_counts "$pmu" 1 > "$tmp/counts"
check "perf stat counts all names" all_counted "$tmp/counts"

check "n3_telemetry unloads" unload n3_telemetry
to_the_letter "$dir" > "$tmp/letter.after"
check "the folder is as before to the letter" \
	cmp "$tmp/letter.before" "$tmp/letter.after"

diag "SEED=$SEED"
check "n3_sim loads" load n3_sim
check "n3_telemetry loads on it" load n3_telemetry pmu=n3_sim enable=0
set_rates 0 "$SEED"
perf_counts n3_sim 2 > "$tmp/counts"
check "perf stat counts all names there" all_counted "$tmp/counts"
check "each name counts its own event" right_events "$tmp/counts" "$tmp/rates.0"
