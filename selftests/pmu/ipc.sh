#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# ipc on the CPUs' own PMU and driver. QEMU counts instructions: each takes one nanosecond,
# which is one cycle at QEMU's 1 GHz. A loop in user space therefore has an ipc of 1, and a
# CPU that sleeps at times has less, as cycles go on; perf stat gives the expected value.
# machine: icount
# timeout: 300

. "$(dirname "$0")/../lib/lib.sh"

plan 8

ipc() { word $N3T/cpu0/general ipc; }

# perf_ipc SECONDS - instructions per cycle of the CPU, excluding the time in which sleep is
# loaded: a kernel with checkers is busy with that for a while
perf_ipc() {
	perf stat -x , -o "$tmp/perf" -D 300 -C 0 -e '{r08,r11}' sleep "$1.3"
	grep -q ',r08,.*,100.00,' "$tmp/perf" || return
	awk -F , '$3 == "r08" { n = $1 } $3 == "r11" { print n / $1 }' "$tmp/perf"
}

near() { # NAME EXPECTED GOT RELATIVE-ERROR
	within "$1" "$(awk -v e="$2" -v p="$4" 'BEGIN { print e * (1 - p) }')" "$3" \
		"$(awk -v e="$2" -v p="$4" 'BEGIN { print e * (1 + p) }')"
}

busy 0
check "n3_telemetry loads" load n3_telemetry
same "CPU 0 is sampled by its own PMU, not a simulated one" "sampling 0" \
	"$(word $N3T/cpu0/status state) $(word $N3T/spec simulated)"
sleep 2.2
near "ipc of a loop in user space is 1 within 0.5 %" 1 "$(ipc)" 0.005
same "no slice of the loop is dropped" 0 "$(word $N3T/cpu0/status dropped)"
idle_again

"$LIB/spin" 300 600 &
spinners=$!
put $N3T/enable 0
expected=$(perf_ipc 1)
within "perf stat measures an ipc of 0.05 to 0.9 while a program sleeps now and then" 0.05 \
	"$expected" 0.9
put $N3T/window_ms 3000
put $N3T/enable 1
sleep 3.2
near "ipc of the program that sleeps is that of perf stat within 4 %" "$expected" "$(ipc)" 0.04
put $N3T/enable 0
near "perf stat measures the same ipc again within 1 %" "$expected" "$(perf_ipc 1)" 0.01
same "no slice of the program that sleeps is dropped" 0 "$(word $N3T/cpu0/status dropped)"
