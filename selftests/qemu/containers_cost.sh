#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# containers_cost.sh [KERNEL] - instructions that the probe of containers adds to a context switch,
# those of the tracepoint's call included, as tools/dev/profile.sh counts them: on a CPU that is
# never armed, and on one that is and hardly ever takes a piece. TAP.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

kernel=${1:-6.1}
LIMIT=50
out=$BUILD/profile

# cost FUNCTIONS - instructions of a switch that these, a regular expression, add
cost() {
	awk -v functions="^($1)\$" -v before="$(cat "$out/without/results/switches")" \
		-v after="$(cat "$out/with/results/switches")" '
	$2 ~ functions { sum += FNR == NR ? -$1 / before : $1 / after }
	END { printf "%.1f", sum }' "$out/without.functions" "$out/with.functions"
}

# bar NAME COST - at most LIMIT, and more than a tracepoint can cost less
bar() {
	awk -v cost="$2" -v limit=$LIMIT 'BEGIN { exit !(cost > 10 && cost <= limit) }' || echo -n 'not '
	echo "ok $((++nr)) - $1 takes at most $LIMIT instructions ($2)"
}

# measures WORD SETTING... - with this state of the CPU
measures() {
	local word=$1
	shift
	"$TOP/tools/dev/profile.sh" "$kernel" switch "$*"
	grep -qx "containers $word" "$out/with/results/cpu_status" || echo -n 'not '
	echo "ok $((++nr)) - containers is $word"
}

SWITCH='__schedule|__traceiter_sched_switch|__kern_my_cpu_offset|on_switch'
nr=0
echo 1..5
measures split container_pieces=10 reserved_counters=2
bar "a switch on a CPU that is not armed" "$(cost "$SWITCH")"
! grep -E ' (on_switch|n3t_containers_(slice|add))$' "$out/without.functions" || echo -n 'not '
echo "ok $((++nr)) - while the setting is 0, neither slices nor switches execute their code"
measures sampled container_pieces=10
bar "a switch that is not taken on a CPU that is armed" "$(cost "$SWITCH")"
