#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# losses_guest.sh perf|n3stat CASE - for losses.sh, in the emulated machine: records all CPUs
# during an event that can end a recording, and counts the records kept:
# CASE.numbers ("KEY VALUE" lines), CASE.said (the recorder's messages), CASE.read (those of the
# readers), CASE.names (of samples, by perf script).

# shellcheck disable=SC2317 # functions are cases

recorder=$1 name=$2
file=/tmp/$name.data spinning=
tests=/selftests/spe
cpus=/sys/devices/system/cpu
ticks=62500000

insmod /modules/arm_spe_pmu.ko || exit 1
cd /results || exit 1
cp /selftests/spe_app_one /tmp/one
cp /selftests/spe_app_two /tmp/two

# start SECONDS PERIOD KIB - records all CPUs with buffers of that size
start() {
	for cpu in 0 1 2 3; do "$tests/spe_log" clear $cpu; done
	(
		case $recorder in
		perf)
			exec perf record -o "$file" -e "arm_spe_0/period=$2/" -a -m ",$(($3 / 4))" \
				-- sleep "$1"
			;;
		n3stat)
			exec n3stat spe record -o "$file" --period "$2" --aux-size "$3k" \
				--seconds "$1"
			;;
		esac
	) > "$name.said" 2>&1 &
	pid=$!
}

# sampled CPU - returns once there are records
sampled() {
	while "$tests/spe_log" fates "$1" | grep -q '^written 0$'; do sleep 0.1; done
}

# gone PID SECONDS - whether it ends within that time of the emulated machine
gone() {
	tenths=$(($2 * 10))
	while kill -0 "$1" 2> /dev/null && ! grep -q '^State:.Z' "/proc/$1/status"; do
		[ $((tenths -= 1)) -gt 0 ] || return 1
		sleep 0.1
	done
}

# finish CPU - waits for the recorder; whether it ends, and the CPU still executes programs
finish() {
	gone $pid 60 || { echo "status hangs"; return 1; }
	wait $pid
	echo "status $?"
	taskset -c "$1" true &
	gone $! 20 || { echo "status locked"; return 1; }
}

# spin CPU - until the case ends
spin() {
	taskset -c "$1" /tmp/two &
	spinning="$spinning $!"
}

# count CPU - its records as the machine wrote them and in the file, and the time that these span
count() {
	echo "written $("$tests/spe_log" fates "$1" | awk '$1 == "written" { print $2 }')"
	echo "size $(stat -c %s "$file")"
	"$tests/spe_aux" list "$file" "$1" 2>> "$name.read" | awk -v ticks=$ticks '
	!n++ { first = $3 }
	{ last = $3 }
	END { printf "kept %d\nseconds %.1f\n", n, (last - first) / ticks }'
	"$tests/spe_aux" flags "$file" 2> /dev/null
}

# by_perf - samples and names as perf script prints them, which takes minutes for more
by_perf() {
	[ "$(stat -c %s "$file")" -lt 20000000 ] || return
	perf script -i "$file" --itrace=i1i -F comm,ip,sym > /tmp/perf.script 2>> "$name.read"
	echo "script $(wc -l < /tmp/perf.script)"
	awk '{ print $1, $3 }' /tmp/perf.script | sort | uniq -c | sort -rn | head -n 4 > "$name.names"
}

# readers - samples, names, and messages about the file
readers() {
	by_perf
	n3stat spe report --json "$file" > "$name.json" 2>> "$name.read"
	grep -o 'hot_of_[a-z]*' "$name.json" | sort -u | sed 's/^/n3stat spe report: /' >> "$name.names"
}

full() {
	spin 1
	start 5 4096 64
	finish 1 && count 1 && readers
}

# every other full buffer has lost a record
lost() {
	"$tests/spe_log" set 1 lose=2
	full || return
	"$tests/spe_log" set 1 lose=0
}

offline() {
	spin 1
	spin 2
	start 10 262144 4096
	sampled 2
	sleep 2
	echo 0 > $cpus/cpu2/online
	sleep 2
	echo 1 > $cpus/cpu2/online
	spin 2
	finish 2 && count 2 && readers
}

hangup() {
	spin 1
	start 8 262144 4096
	sampled 1
	sleep 3
	kill -HUP $pid
	finish 1 && count 1 && readers
}

replaced() {
	cp /tmp/one /tmp/app
	taskset -c 1 /tmp/app &
	spinning=$!
	start 8 262144 4096
	sampled 1
	sleep 3
	cp /tmp/two /tmp/app.new
	mv /tmp/app.new /tmp/app
	finish 1 && count 1 && readers
}

"$name" > "$name.numbers"
# shellcheck disable=SC2086 # one argument a process
kill $spinning 2> /dev/null
send .
{
	uname -r
	perf --version
	n3stat --version
} > versions
exit 0
