#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# A real-time task takes all of a CPU, at the lowest and at the highest priority, with and
# without the kernel's limit for such tasks. Loading, "enable", a setting, CPUs that go offline
# and come online, and unloading end within a second. A group of another user that needs all
# counters of that CPU has them for 95 % of two seconds. The status of the CPU shows no yield
# that is due.
#
# If all other CPUs are busy, too, QEMU executes one for 100 ms before the next, so that jiffies
# and timers stand still meanwhile, and a yield takes up to a second: the group had the counters
# for 49 to 85 % of 5 s. A fault of the hogged CPU's events is found, too, although nothing reads.
#
# Before 6.4, once ksoftirqd of the CPU has been woken, it alone executes softirqs, those of RCU as
# well, and the task keeps it from running: perf stat and CPU hotplug hang without the module, too.
# A trial in which that happens ends and is made again. With all CPUs busy it always happens.
#
# Time is counted in instructions. Not with PREEMPT_RT: the kernel waits for RCU when a perf event
# is closed there, and RCU for threads of the hogged CPU.
#
# LONG=1: the highest priority without the limit as well.
# machine: turns
# timeout: 600

. "$(dirname "$0")/../lib/sim.sh"
. "$(dirname "$0")/../lib/perf.sh"
. "$(dirname "$0")/../lib/rt.sh"

[ -x "$HERE/fifo" ] || skip_all "fifo is not built"
case $(uname -v) in
*PREEMPT_RT*) skip_all "closing a perf event waits for the hogged CPU" ;;
esac

LIMIT_MS=1000
# it counts what QEMU's PMU has: only that it runs matters
GROUP='{r08,r11,r1b,r3a,r3b,r3d}'
# PRIORITY:LIMIT in microseconds of a second, -1 for none
TRIALS='1:-1 99:950000'
[ "$LONG" != 1 ] || TRIALS="$TRIALS 99:-1"

# shellcheck disable=SC2086 # one argument a word
nr_trials=$(set -- $TRIALS; echo $#)
case $(uname -r) in
6.1.*) defers=1 ;;
*) defers= ;;
esac
plan $((nr_trials * 10 + (defers ? 0 : 8)))

others=$(online | sed '$d')
another=$(echo "$others" | tail -n 1)

cleanup() { give_back; }

# timed NAME COMMAND... - two checks in one: it succeeds, within the limit
timed() {
	name=$1
	shift
	start=$(uptime_ms)
	"$@" > "$tmp/out" 2>&1
	rc=$?
	ms=$(($(uptime_ms) - start))
	[ $rc -eq 0 ] && [ $ms -le $LIMIT_MS ]
	verdict $? "$name ends within $LIMIT_MS ms"
	diag "$ms ms, status $rc"
	sed 's/^/# /' "$tmp/out"
}

write() { [ -z "$(put "$1" "$2")" ]; }
is_sampled() { [ "$(word $N3T/cpu$hogged/status state)" = sampling ]; }
retired=$(awk -F '\t' '!/^#/ && $3 ~ /INST_RETIRED/' "$SPEC/metrics.tsv" | wc -l)
is_withdrawn() { [ "$(word $N3T/cpu$hogged/status withdrawn)" = "$retired" ]; }
turn() { echo "$1" > "$CPU_DEVICES/cpu$another/online"; }

# shares NAME SECONDS MIN - the group runs nearly all the time, and no yield stays due
shares() {
	check "$1: the CPU is sampled" wait_until is_sampled
	stat_lines -p "$hog" -e "$GROUP" sleep "$2"
	within "$1: another user's group runs at least $3 % of $2 s" "$3" "$(lowest_share)" 100
	within "$1: no yield is left due" 0 "$(word $N3T/cpu$hogged/status yield_due_ms)" 50
}

# the shell itself must not be where no other task runs
# shellcheck disable=SC2086 # one argument a CPU
taskset -cp "$(echo $others | tr ' ' ,)" $$ > /dev/null

# hog PRIORITY LIMIT
hog() {
	case $2 in
	-1) limit_rt -1 0 ;;
	*) limit_rt "$2" "${kept:-0}" ;;
	esac
	take_cpu "$1"
	sleep 0.2
}

ksoftirqd=$(grep -lx "ksoftirqd/$hogged" /proc/[0-9]*/comm)
ksoftirqd=${ksoftirqd%/comm}

# ends_starved - ends the task as soon as ksoftirqd has waited half a second for it
ends_starved() {
	waits=0
	while [ $waits -lt 5 ]; do
		sleep 0.1
		read -r _ _ state _ < "$ksoftirqd/stat"
		[ "$state" = R ] && waits=$((waits + 1)) || waits=0
	done
	: > "$tmp/starved"
	kill "$hog"
}

# trial PRIORITY LIMIT
trial() {
	with="priority $1, limit $2"
	timed "$with: loading" load n3_telemetry
	shares "$with" 2 95
	timed "$with: disabling" write $N3T/enable 0
	timed "$with: enabling" write $N3T/enable 1
	timed "$with: a new setting" write $N3T/slice_ms 8
	timed "$with: another CPU going offline" turn 0
	timed "$with: another CPU coming online" turn 1
	timed "$with: unloading" unload n3_telemetry
}

# is_fair PRIORITY LIMIT - makes a trial; false, without its checks, if softirqs did not run
is_fair() {
	made_before=$made failed_before=$failed watcher=''
	rm -f "$tmp/starved"
	hog "$1" "$2"
	if [ -n "$defers" ]; then
		ends_starved &
		watcher=$!
	fi
	trial "$1" "$2" > "$tmp/trial"
	[ -z "$watcher" ] || { kill $watcher; wait $watcher; } 2> /dev/null
	free_cpu 2> /dev/null
	if [ -e "$tmp/starved" ]; then
		made=$made_before failed=$failed_before
		return 1
	fi
	cat "$tmp/trial"
}

for trial in $TRIALS; do
	tries=1
	until is_fair "${trial%:*}" "${trial#*:}"; do
		diag "ksoftirqd was starved"
		tries=$((tries + 1))
		[ $tries -le 10 ] || bail "ksoftirqd is always starved"
	done
done

if [ -z "$defers" ]; then
	# the scheduler may leave any thread on the hogged CPU now, such as those of RCU
	load n3_telemetry
	hog 99 -1
	# shellcheck disable=SC2086 # one argument a CPU
	busy $others
	shares "all CPUs busy" 10 25
	check "n3_telemetry unloads" unload n3_telemetry

	check "n3_sim loads" load n3_sim
	check "n3_sim accepts random rates" set_rates "$hogged" "$SEED"
	check "n3_telemetry loads with n3_sim" load n3_telemetry pmu=n3_sim
	next_window
	sed 's/^INST_RETIRED .*/INST_RETIRED 0/' "$tmp/rates.$hogged" > "$tmp/changed"
	put_file "$SIM/cpu$hogged/rates" "$tmp/changed"
	check "all CPUs busy: a fault is found" wait_until is_withdrawn
	free_cpu
	idle_again
fi
