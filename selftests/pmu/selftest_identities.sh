#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Identities that n3stat selftest tries with each micro-kernel, on a PMU with known rates: the
# deviations follow from these. OP_SPEC fits the stalled slots; other rates are random.
# machine: n3-icount n3-n2
# timeout: 300

. "$(dirname "$0")/../lib/n3.sh"

plan 7

REPORT=/results/selftest_identities.json
KERNELS=$(n3stat selftest --list | sed '/^$/,$d; 1d' | wc -l)

# trials IDENTITY - "MICRO-KERNEL OUTCOME PERCENT", into $tmp/trials
trials() {
	tr '{' '\n' < $REPORT | awk -F '[":,]+' -v identity="\"identity\":\"$1\"" '
	/^"identity"/ { mine = index($0, identity) == 1 }
	/^"kernel"/ && mine { print $3, $5, $7 }' > "$tmp/trials"
}

# deviates EVENT EVENT... - whether the first one deviates from the sum of the others as the rates
# do, in each trial that is decided. 20 are, unless both are rarer than 20,000 in the 5 ms of a
# trial.
deviates() {
	whole=$1
	shift
	trials "$whole = $(echo "$*" | sed 's/ / + /g')"
	awk -v whole="$whole" -v parts="$*" -v kernels=$KERNELS '
	FNR == NR { rate[$1] = $2; next }
	FNR == 1 {
		nr = split(parts, part, " ")
		for (i = 1; i <= nr; i++)
			sum += rate[part[i]]
		larger = rate[whole] > sum ? rate[whole] : sum
		percent = 100 * (rate[whole] - sum) / larger
		least = larger / rate["CPU_CYCLES"] > 0.004 ? 20 : 0
	}
	$2 == "undecided" { next }
	{
		decided++
		bad = $3 - percent > 0.1 || percent - $3 > 0.1 ||
		      ($2 == "held") != (percent >= -1 && percent <= 1)
		wrong += bad
		if (bad || decided == 1)
			printf "%s, expected %.3f\n", $0, percent
	}
	END {
		print decided + 0, "decided"
		exit wrong || FNR != kernels || decided < least
	}' "$tmp/rates.0" "$tmp/trials"
}

# random rates match no real machine: identities fail
n3stat selftest -o $REPORT > "$tmp/shown" 2>&1
same "n3stat selftest exits with 7, as identities fail" 7 $?
# those of an N2 have CPU_CYCLES too many, which are subtracted
same "STALL_SLOT and STALL_SLOT_FRONTEND count" 2 "$(tr '{' '\n' < $REPORT |
	grep -c '^"name":"STALL_SLOT\(_FRONTEND\)\?",.*"verdict":"counts"')"
trials "OP_SPEC = slots x CPU_CYCLES - STALL_SLOT"
diag "$(sort -k 2,2 -k 3,3n "$tmp/trials" |
	awk '!($2 in seen) { seen[$2]; print } END { print NR }')"
# shellcheck disable=SC2016 # of awk
check "OP_SPEC fits the stalled slots with 20 micro-kernels or more, and each that is decided" \
	awk -v kernels=$KERNELS '
	{ n[$2]++ }
	END { exit n["held"] < 20 || n["violated"] || NR != kernels }' "$tmp/trials"
for parts in L1D_CACHE L1D_TLB; do
	check "MEM_ACCESS deviates from $parts as its rate does" deviates MEM_ACCESS $parts
done
for end in FRONTEND BACKEND; do
	check "STALL_$end deviates from its parts as its rate does" deviates STALL_$end \
		STALL_${end}_MEMBOUND STALL_${end}_CPUBOUND
done
