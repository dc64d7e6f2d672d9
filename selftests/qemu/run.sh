#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# run.sh [OPTION]... TASK [ARG]... - boots an emulated Neoverse N3, runs the
# script guest/TASK.sh (or the file TASK) in it and copies /results back. The exit
# status is 0 if the script returned 0, the guest shut down, and the kernel log has
# no warnings.
#
#	-k KERNEL	6.1 (default), 6.12, newest, 6.1-cloud, 6.1-rt, 6.12-rt, 6.12-16k:
#			Debian's stock ones; debug, kcsan, 64k: see kernel.sh; a folder as
#			printed by stock.sh
#	-m MACHINE	smp (default): four Neoverse N3s
#			tick: the same, idle ones tick as well, so that slices end on
#			time there
#			pair: two like that
#			single: one
#			sig-enforce: one, whose kernel loads signed modules only
#			isolated: CPU 2 is isolated, CPU 3 has no tick
#			no-n3: CPUs of another make
#			no-pmu: Neoverse N3s without counters
#			no-node: Neoverse N3s with a PMU missing in the device tree
#			icount: one whose time is counted in instructions, exactly
#			two-pmus: as smp, with a PMU for CPUs 0 and 1 and one for 2 and 3
#			turns: four with icount, executed in turns, which tick, in two NUMA nodes
#			big: 64 like that, in one node (16 on debug and kcsan)
#			nmi: as icount, with pseudo-NMIs (debug only)
#			n3: four whose PMU counts every event, at random rates (SEED) that
#			the guest finds in selftests/n3_rates; idle ones tick as well
#			n3-turns: the same with time counted in instructions, in turns
#			n3-icount: one like that
#			n3-idle: as n3-turns, but idle ones do not tick and lose power
#			n3-idle-icount: one like that
#			n3-v2, n3-v3, n3-v3ae: two as n3-turns, whose MIDR is that of a Neoverse
#			V2, V3 or V3AE
#			n3-n2, n3-n2-azure: of an N2 r0p0 of Arm or Microsoft, whose STALL_SLOT and
#			STALL_SLOT_FRONTEND overcount by CPU_CYCLES, which n3_rates does not say
#			n3-n2-fixed: of an N2 r0p3, where they are right
#			n3-n2-right, n3-overcounts: of an N2 r0p0 where they are right, and of an N3
#			where they are not
#			n3-turns-20, n3-icount-20: with that number of event counters, 1 to 31
#			(default 6)
#			n3-none: as n3, with the cycle counter only
#			n3-hidden: as n3, a dozen events read 0, as behind a hypervisor's filter
#			n3-listed: the same in turns, and PMCEID claims that they are implemented
#			n3-trap: as n3-icount, each access to a PMU register takes 20 us
#			spe: as n3, with the Statistical Profiling Extension, whose records
#			are known (SEED) and in a log that the guest reads with spe_log
#			spe-icount: as n3-icount, with the same
#			spe-owned, spe-format, spe-size: as spe, but a higher exception
#			level owns the buffer; records have an unknown format or size
#			spe-real: as spe, and sampled branches are the guest's own
#	-s CPUS		number of CPUs, instead of the machine's default
#	-t SECONDS	limit of console silence, after which the guest is hung (300)
#	-a WORDS	additions to the kernel's command line
#	-q WORDS	additions to QEMU's command line
#	-n PORT:GUEST	forwards the port of 127.0.0.1 to one of the guest, whose network is
#			this and nothing else; may be repeated
#	-o DIR		directory for the results (build/run)
#	-p SUITE	with perf of another suite of Debian, such as sid
#	-I		interactive: the console is the terminal
#
# For the machines n3* and spe*: QEMU=PROGRAM replaces the one built by n3/qemu.sh;
# PMU_OPTIONS=WORDS are more properties of its CPUs, with commas: see n3/pmu-guest.patch;
# SPE_OPTIONS=WORDS of those with SPE: see n3/spe.patch.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

kernel=6.1 machine=smp cpus='' memory=1G limit=300 append='' out=$BUILD/run suite=''
more=() ports=() interactive=

while getopts k:m:s:t:a:q:n:o:p:I opt; do
	case $opt in
	k) kernel=$OPTARG ;;
	m) machine=$OPTARG ;;
	s) cpus=$OPTARG ;;
	t) limit=$OPTARG ;;
	a) append=$OPTARG ;;
	q) read -ra more <<< "$OPTARG" ;;
	n) ports+=("$OPTARG") ;;
	o) out=$OPTARG ;;
	p) suite=$OPTARG ;;
	I) interactive=1 ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
task=${1:?usage: run.sh [OPTION]... TASK [ARG]...}
shift
[ -e "$task" ] || task=$QEMU_DIR/guest/$task.sh

cpu='max,midr=0x410fd8e0,pauth-impdef=on'
# Time is counted in instructions, one per nanosecond, and is skipped when all CPUs sleep:
# it is independent of the load of the host.
exact=(-icount 'shift=0,sleep=off')
many=64
case $kernel in
debug | kcsan) many=16 ;;
esac
overcounts='' absent=''
gic=3 program=qemu-system-aarch64 rates='' counters=''
if [[ $machine =~ ^(n3|n3-turns|n3-icount|spe|spe-icount)-([0-9]+)$ ]]; then
	machine=${BASH_REMATCH[1]} counters=${BASH_REMATCH[2]}
	[ "$counters" -ge 1 ] && [ "$counters" -le 31 ] || die "1 to 31 counters, not $counters"
fi
# PMBIDR_EL1.P; PMSIDR_EL1.Format, MaxSize
case $machine in
spe-owned) machine=spe SPE_OPTIONS+=${SPE_OPTIONS:+,}spe-pmbidr=0x36 ;;
spe-format) machine=spe SPE_OPTIONS+=${SPE_OPTIONS:+,}spe-pmsidr=0x1126457 ;;
spe-size) machine=spe SPE_OPTIONS+=${SPE_OPTIONS:+,}spe-pmsidr=0x102f457 ;;
esac
# L2D_CACHE_REFILL, BR_MIS_PRED_RETIRED, DTLB_WALK, LL_CACHE_MISS_RD, STALL_SLOT_FRONTEND,
# CRYPTO_SPEC, DSB_SPEC, STALL_BACKEND_MEM, FP_HP_SPEC, SVE_PRED_EMPTY_SPEC, STALL_FRONTEND_L1I,
# STALL_FRONTEND_TLB
hidden=0x17:0x22:0x34:0x37:0x3e:0x77:0x7d:0x4005:0x8014:0x8075:0x8159:0x815c
case $machine in
n3-none) machine=n3 counters=0 ;;
n3-hidden) machine=n3 PMU_OPTIONS+=${PMU_OPTIONS:+,}pmu-hidden=$hidden ;;
n3-listed) machine=n3-turns PMU_OPTIONS+=${PMU_OPTIONS:+,}pmu-hidden=$hidden,pmu-hidden-listed=on ;;
n3-trap) machine=n3-icount PMU_OPTIONS+=${PMU_OPTIONS:+,}pmu-access-ns=20000 ;;
esac
case $machine in
smp) ;;
two-pmus) more+=("${exact[@]}") ;;
tick) append+=' nohz=off' ;;
pair)
	append+=' nohz=off'
	cpus=${cpus:-2}
	;;
single) cpus=${cpus:-1} ;;
sig-enforce)
	append+=' module.sig_enforce=1'
	cpus=${cpus:-1}
	;;
isolated)
	more+=("${exact[@]}")
	append+=' isolcpus=2 nohz_full=3'
	;;
no-n3 | no-pmu | no-node | icount | nmi)
	more+=("${exact[@]}")
	cpus=${cpus:-1}
	;;
turns)
	more+=("${exact[@]}")
	append+=' nohz=off'
	sizes=(512M 384M 128M) cpus_of=(',cpus=0-1' ',cpus=2-3' '')
	for node in 0 1 2; do
		more+=(-object "memory-backend-ram,id=mem$node,size=${sizes[node]}"
			-numa "node,nodeid=$node,memdev=mem$node${cpus_of[node]}")
	done
	;;
big)
	# A TLB flush of one CPU costs QEMU work for each: a linear map of small pages
	# causes thousands of them before the first message.
	more+=("${exact[@]}")
	append+=' nohz=off rodata=on skew_tick=1'
	cpus=${cpus:-$many} memory=2G
	;;
# SPE interrupts at arbitrary points, which QEMU refuses with -icount
n3 | spe | spe-real) append+=' nohz=off' ;;
n3-turns)
	more+=("${exact[@]}")
	append+=' nohz=off'
	;;
n3-v2 | n3-v3 | n3-v3ae | n3-n2 | n3-n2-azure | n3-n2-fixed | n3-n2-right | n3-overcounts)
	more+=("${exact[@]}")
	append+=' nohz=off'
	cpus=${cpus:-2}
	;;
n3-idle | n3-idle-icount)
	more+=("${exact[@]}")
	[ "$machine" = n3-idle ] || cpus=${cpus:-1}
	machine=n3-idle
	# Linux turns a GICv3 off before the CPU, and QEMU lacks the wake-up signal
	gic=2
	;;
n3-icount | spe-icount)
	more+=("${exact[@]}")
	append+=' nohz=off'
	cpus=${cpus:-1}
	;;
*) die "unknown machine $machine" ;;
esac
# midr_is MIDR SLOTS - identifies the CPUs as another core
midr_is() {
	cpu=${cpu/0x410fd8e0/$1}
	PMU_OPTIONS+=${PMU_OPTIONS:+,}pmu-slots=$2
}
case $machine in
n3-v2) midr_is 0x410fd4f0 8 ;;
n3-v3) midr_is 0x410fd840 10 ;;
n3-v3ae) midr_is 0x410fd830 10 ;;
n3-n2-fixed) midr_is 0x410fd493 5 ;;
n3-n2-azure) midr_is 0x6d0fd490 5 ;;
n3-n2 | n3-n2-right) midr_is 0x410fd490 5 ;;
esac
case $machine in
n3-n2*) absent=STALL_FRONTEND_FLUSH ;;&
n3-n2 | n3-n2-azure | n3-overcounts) overcounts='STALL_SLOT STALL_SLOT_FRONTEND' ;;
esac
case $machine in
no-n3) cpu='max,pauth-impdef=on' ;;
no-pmu) cpu+=,pmu=off ;;
nmi) append+=' irqchip.gicv3_pseudo_nmi=1' ;;
n3* | spe*)
	program=${QEMU:-$("$QEMU_DIR/n3/qemu.sh")}
	rates=$out/n3_rates
	cpu+=",pmu-rates=$out/n3_counted,pmu-counters=${counters:-6}${PMU_OPTIONS:+,$PMU_OPTIONS}"
	;;
esac
SEED=${SEED:-$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')}
case $machine in
spe-real) SPE_OPTIONS=spe-real=on${SPE_OPTIONS:+,$SPE_OPTIONS} ;;&
spe*) cpu+=",spe=on,spe-seed=$SEED${SPE_OPTIONS:+,$SPE_OPTIONS}" ;;
esac

# virtio_mmio is a module everywhere; newest has it in a package of 90 MB, and PCI built in
serial=virtio-serial-device net=virtio-net-device
case $kernel in
newest)
	boot=$("$QEMU_DIR/stock.sh" "$kernel")
	serial=virtio-serial-pci net=virtio-net-pci,romfile=
	;;
[0-9]*.*) boot=$("$QEMU_DIR/stock.sh" "$kernel") ;;
/*) boot=$kernel ;;
*) boot=$("$QEMU_DIR/kernel.sh" "$kernel") ;;
esac
rootfs=$("$QEMU_DIR/rootfs.sh" "$suite")

drivers=(virtio.ko virtio_ring.ko virtio_mmio.ko virtio_console.ko)
if [ ${#ports[@]} -gt 0 ]; then
	forwards=$(printf ',hostfwd=tcp:127.0.0.1:%s' "${ports[@]/:/-:}")
	more+=(-netdev "user,id=host,restrict=on$forwards" -device "$net,netdev=host")
	drivers+=(failover.ko net_failover.ko virtio_net.ko)
fi

rm -rf "$out"
mkdir -p "$out/results"

# random_rates SEED [EVENTS] - different rates for each CPU, in the format read by QEMU and the
# guest; these events count CPU_CYCLES as well
random_rates() {
	local cpu slots=

	echo "# SEED=$1"
	[[ ! ${PMU_OPTIONS:-} =~ pmu-slots=([0-9]+) ]] || slots=${BASH_REMATCH[1]}
	if [[ ${PMU_OPTIONS:-} =~ pmu-hidden=([0-9a-fA-Fx:]+) ]]; then
		# shellcheck disable=SC2046,SC2086 # one argument an event
		echo "# hidden$(printf ' 0x%04X' ${BASH_REMATCH[1]//:/ })"
	fi
	for cpu in $(seq 0 $((${cpus:-4} - 1))); do
		awk -v seed=$(($1 + cpu)) -v cpu="$cpu" -v slots="$slots" \
			-v absent="$absent" -v too_many="${2:-}" \
			-f "$TOP/selftests/lib/issue.awk" -f "$TOP/selftests/lib/rates.awk" \
			"$TOP/selftests/spec/events.tsv"
	done
}
if [ -n "$rates" ]; then
	random_rates "$SEED" > "$rates"
	random_rates "$SEED" "$overcounts" > "$out/n3_counted"
fi

# Files of this run are appended as a second archive.
make_initrd() {
	local over=$out/overlay

	mkdir -p "$over"/{boot,silicon,modules,selftests,virtio,usr/bin}
	cp "$QEMU_DIR/guest/init" "$over/init"
	cp "$task" "$over/task"
	echo "$*" > "$over/task.args"
	chmod +x "$over/init"
	cp "${drivers[@]/#/$boot/lib/}" "$over/virtio/" 2>/dev/null || true
	cp "$boot/lib/arm_spe_pmu.ko" "$over/modules/" 2>/dev/null || true
	cp -r "$BUILD/$kernel"/{*.ko,signed} "$over/modules/" 2>/dev/null || true
	cp -r "${KSELFTESTS[@]/#/$TOP/selftests/}" "$TOP"/selftests/{lib,spec} "$over/selftests/"
	cp -r "$BUILD"/selftests/* "$over/selftests/" 2>/dev/null || true
	cp "$TOP"/tools/boot/{boot.sh,n3-telemetry-selftest.service} "$over/boot/"
	cp -r "$TOP"/tools/dev/silicon{,.sh} "$over/silicon/"
	[ -z "$rates" ] || cp "$rates" "$over/selftests/"
	cp -P "$BUILD"/tools-arm64/{infer,n3{stat,top,rec,spe,check,-exporter}} \
		"$BUILD"/tools-arm64/n3stat-* \
		"$over/usr/bin/" 2>/dev/null || true
	# tests run programs as other users, whatever the umask of the checkout
	chmod -R a+rX "$over"
	(cd "$over" && find . | cpio -o -H newc -R 0:0 --quiet) |
		cat "$rootfs" - > "$out/initrd"
	rm -rf "$over"
}
make_initrd "$@"

fatal='panic=-1 oops=panic panic_on_warn=1'
# Only accesses by modules are watched, so one in twenty can be (KCSAN's default is one in
# thousands). The guest continues after a race: there may be more.
[ "$kernel" != kcsan ] || fatal='panic=-1 oops=panic kcsan.skip_watch=20'
# A busy host makes the guest slow, but slow is not hung: -t detects hangs.
patience='rcupdate.rcu_cpu_stall_timeout=120 watchdog_thresh=60'

qemu=("$program" -nodefaults -no-user-config -no-reboot -display none
	-M "virt,gic-version=$gic" -cpu "$cpu" -smp "${cpus:-4}" -m "$memory" "${more[@]}"
	-kernel "$boot/Image" -initrd "$out/initrd"
	-device "$serial"
	-chardev "file,id=results,path=$out/results.tar"
	-device 'virtserialport,chardev=results,name=results'
	-append "console=ttyAMA0 loglevel=5 log_buf_len=8M $fatal $patience $append")

# idle_states - gives each CPU the state of n3-idle.dts; a single one has no method from QEMU
idle_states() {
	local cpu

	for cpu in $(seq 0 $((${cpus:-4} - 1))); do
		printf '/ { cpus { cpu@%x { enable-method = "psci"; cpu-idle-states = <&OFF>; }; }; };\n' \
			"$cpu"
	done
}

# NAME.dts, if it exists, changes QEMU's own device tree
if [ -e "$QEMU_DIR/$machine.dts" ]; then
	"${qemu[@]}" -machine "dumpdtb=$out/qemu.dtb" 2>/dev/null
	{
		dtc -q -I dtb -O dts "$out/qemu.dtb"
		cat "$QEMU_DIR/$machine.dts"
		[ "$machine" != n3-idle ] || idle_states
	} | dtc -q -I dts -O dtb -o "$out/machine.dtb"
	qemu+=(-dtb "$out/machine.dtb")
fi

if [ -n "$interactive" ]; then
	exec "${qemu[@]}" -serial mon:stdio
fi

# Silence, not time, indicates a hang: a busy host makes the guest slow.
watchdog() {
	while sleep 5; do
		[ $(($(date +%s) - $(stat -c %Y "$out/console"))) -gt "$limit" ] || continue
		touch "$out/hung"
		kill "$(cat "$out/pid")"
		return
	done
}

: > "$out/console"
watchdog >/dev/null 2>&1 </dev/null &
dog=$!
# -serial stdio needs no terminal; CI does not have one
rc=0
"${qemu[@]}" -pidfile "$out/pid" -serial stdio </dev/null 2>&1 |
	stdbuf -oL tr -d '\r' | tee "$out/console" || rc=$?
kill "$dog" 2>/dev/null || true
rm -f "$out/initrd"

fail() {
	echo "run.sh: $*; the console is in $out/console" >&2
	exit 1
}

# Kernel messages about problems (KCSAN logs BUG as well). The exit status is not enough:
# after an oops in a worker the script continues.
complaints='WARNING: |BUG: |Oops|Internal error|Kernel panic|Unable to handle|\
INFO: (possible|suspicious|task|rcu)|self-detected stall|KASAN|UBSAN|\
ODEBUG|unreferenced object|suspected memory leaks|refcount_t|\
inconsistent lock state|invalid wait context'
complaints=${complaints//$'\\\n'/}

# -i: several concatenated archives
tar -x -i -C "$out/results" -f "$out/results.tar" 2>/dev/null || true
grep -hsE "$complaints" "$out/console" "$out/results/dmesg" > "$out/complaints" || true
if [ -s "$out/complaints" ]; then
	head -n 5 "$out/complaints" >&2
	fail "the kernel log has warnings"
fi
[ ! -e "$out/hung" ] || fail "no output for $limit s: the guest hangs"
[ "$rc" -eq 0 ] || fail "QEMU exited with status $rc"
[ -s "$out/results/status" ] || fail "the guest died before sending its results"
status=$(cat "$out/results/status")
[ "$status" -eq 0 ] || fail "${task##*/} returned $status"
