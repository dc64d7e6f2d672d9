#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# run.sh [STEP...] - applies the patches to Debian's newest kernel source and shows their effect.
# STEP, all by default, in this order:
#
#	style	checkpatch, the ABI file
#	build	perf, and the driver for Debian's kernel of that source, before and after each patch
#	perf	what these perfs make of the same files
#	machine	these drivers in the emulated machine, and what the perfs make of its recordings
#	kernel	a small arm64 kernel with all patches and the driver built in; it boots there
#
# perf and machine need build; builds continue those of the last time, as make does. Source
# and objects are in ~/.cache/n3_telemetry/upstream, results in build/upstream.

# shellcheck source=../selftests/qemu/lib.sh
. "$(dirname "$0")/../selftests/qemu/lib.sh"

here=$TOP/upstream
out=$BUILD/upstream
series=(perf arm_spe_pmu)
steps=("$@")
[ $# -gt 0 ] || steps=(style build perf machine kernel)
for step in "${steps[@]}"; do
	[[ $step =~ ^(style|build|perf|machine|kernel)$ ]] ||
		die "$step: steps are style, build, perf, machine, kernel"
done
mkdir -p "$out"
: > "$out/tap"

# one_step NAME COMMAND... - runs it as one test; its output follows if it fails. Bash does not
# stop at a failure inside of it, which is part of a condition: functions return it.
one_step() {
	local name=$1 rc=0

	shift
	"$@" > "$out/log" 2>&1 || rc=$?
	if [ $rc -eq 0 ]; then
		echo "ok - $name"
	else
		echo "not ok - $name"
		tail -n 40 "$out/log" | sed 's/^/# /'
	fi | tee -a "$out/tap"
	return $rc
}

# verdict NAME RC - one test
verdict() { one_step "$1" [ "$2" -eq 0 ] || true; }

# failures - so far
failures() { grep -c '^not ok ' "$out/tap" || true; }

# patches SERIES - their names, without the letter
patches() { find "$here/$1" -name '0*.patch' ! -name '0000-*' | sort; }

# The newest one only: 1.8 GB each.
fetch() {
	apt_fresh sid
	package=$(depends_of linux-source | grep -m 1 '^linux-source-' || true)
	[ -n "$package" ] || die "Debian's archive has no linux-source"
	version=$(version_of "$package")
	work=$CACHE/upstream/$version
	[ ! -e "$work/.unpacked" ] || return 0
	say "fetching $package $version (160 MB, once)"
	rm -rf "$CACHE/upstream"
	mkdir -p "$work/source"
	download "$work/deb" "$package"
	dpkg-deb --fsys-tarfile "$work"/deb/*.deb | tar -xO "./usr/src/$package.tar.xz" |
		tar -xJ -C "$work/source" --strip-components=1
	rm -rf "$work/deb"
	touch "$work/.unpacked"
}

# fresh TREE - below $work, as Debian's source: links to it, and new copies of the files that
# patches change, or make would keep the objects of the patched ones
fresh() {
	local file

	tree=$work/$1
	rm -rf "$tree"
	cp -al "$work/source" "$tree"
	cat "$here"/*/0*.patch | sed -n 's,^+++ b/,,p' | sort -u | while read -r file; do
		rm "$tree/$file"
		cp "$work/source/$file" "$tree/$file"
	done
}

# applies PATCH - without fuzz, and replaces files, which are linked
applies() { patch -d "$tree" -p1 -s --fuzz=0 --no-backup-if-mismatch < "$1"; }

# styled PATCH - nothing that checkpatch reports
styled() { (cd "$tree" && perl scripts/checkpatch.pl --strict --no-summary --terse "$1"); }

# abi_valid - no message about the file with the new entries
abi_valid() {
	local file=Documentation/ABI/testing/sysfs-bus-event_source-devices-caps

	(cd "$tree" && python3 tools/docs/get_abi.py --dir Documentation/ABI validate) \
		> "$out/abi" 2>&1 || true
	! grep -F "${file##*/}" "$out/abi" || return 1
	(cd "$tree" && python3 tools/docs/get_abi.py --dir Documentation/ABI search \
		caps/max_record_size) | grep -F "$file"
}

# with_ccache COMMAND... - objects of another user's or checkout's source are the same
with_ccache() { CCACHE_BASEDIR=$work nice -n 19 "$@" < /dev/null; }

# build_perf NAME - without features that recordings do not need; warnings are errors
build_perf() {
	local without=(LIBTRACEEVENT LIBPYTHON LIBPERL LIBBPF LIBUNWIND LIBCAPSTONE LIBLLVM
		SLANG JEVENTS JVMTI SDT RUST)

	without=("${without[@]/%/=1}")
	mkdir -p "$work/perf"
	with_ccache make -s -C "$tree/tools/perf" O="$work/perf" -j"$JOBS" BUILD_BPF_SKEL=0 \
		CC="${CCACHE:+$CCACHE }gcc" HOSTCC="${CCACHE:+$CCACHE }gcc" "${without[@]/#/NO_}" &&
		cp "$work/perf/perf" "$work/$1"
}

# build_driver NAME - warnings are errors
build_driver() {
	local dir=$work/driver

	mkdir -p "$dir"
	cp "$tree/drivers/perf/arm_spe_pmu.c" "$dir/" && echo 'obj-m := arm_spe_pmu.o' > "$dir/Makefile" &&
		with_ccache make -s -C "$stock/kdir" M="$dir" ARCH=arm64 CROSS_COMPILE="$CROSS" W=1 \
			KCFLAGS='-Werror -g0' CONFIG_DEBUG_INFO_BTF_MODULES= modules &&
		cp "$dir/arm_spe_pmu.ko" "$work/$1.ko"
}

kmake() {
	with_ccache make -s -C "$tree" O="$work/kernel" ARCH=arm64 CROSS_COMPILE="$CROSS" \
		CC="${CCACHE:+$CCACHE }${CROSS}gcc" -j"$JOBS" "$@"
}

# build_kernel - warnings are errors
build_kernel() {
	local config=$work/kernel/.config wanted

	wanted=$(cat "$QEMU_DIR/kernel.config"; printf 'CONFIG_%s\n' \
		WERROR=y ARM_SPE_PMU=y PID_IN_CONTEXTIDR=y)
	mkdir -p "$work/kernel"
	if [ "$(cat "$work/kernel/wanted" 2> /dev/null)" != "$wanted" ]; then
		kmake tinyconfig && echo "$wanted" >> "$config" && kmake olddefconfig &&
			grep -x CONFIG_ARM_SPE_PMU=y "$config" && grep -x CONFIG_WERROR=y "$config" &&
			echo "$wanted" > "$work/kernel/wanted" || return 1
	fi
	ln -sfn arch/arm64/boot/Image "$work/kernel/Image"
	kmake Image
}

# built SERIES NUMBER PATCH - with it
built() {
	applies "$3" || return 1
	case $1 in
	perf) build_perf "perf$2" ;;
	arm_spe_pmu) build_driver "arm_spe_pmu$2" ;;
	esac
}

style_step() {
	local name patch

	fresh patched
	for name in "${series[@]}"; do
		for patch in $(patches "$name"); do
			one_step "checkpatch --strict: ${patch#"$here"/}" styled "$patch" || true
			one_step "applies: ${patch#"$here"/}" applies "$patch" || return 1
		done
	done
	one_step "the ABI file is valid and has the new entries" abi_valid
}

build_step() {
	local name patch number

	say "some minutes the first time"
	fresh patched
	stock=$("$QEMU_DIR/stock.sh" newest) || return 1
	one_step "$package $version: perf builds" build_perf perf0 || return 1
	one_step "${stock##*/}: the driver builds" build_driver arm_spe_pmu0 || return 1
	for name in "${series[@]}"; do
		number=0
		for patch in $(patches "$name"); do
			number=$((number + 1))
			one_step "builds: ${patch#"$here"/}" built "$name" $number "$patch" || return 1
		done
	done
}

# tap COMMAND... - a program that prints TAP, with its own result
tap() {
	local rc=0

	"$@" 2>&1 | sed -E '/^1\.\./d; s/^((not )?ok) [0-9]+/\1/' | tee -a "$out/tap" || rc=$?
	[ $rc -eq 0 ]
}

# compared [RECORDING...] - by perf_test.py
compared() {
	[ -e "$work/perf2" ] && [ -e "$work/arm_spe_pmu3.ko" ] || die "run the step build first"
	tap nice -n 19 "$here/perf_test.py" "$work"/perf{0,1,2} "$@"
}

perf_step() { compared; }

# boot NAME KERNEL OPTIONS - a machine with SPE as in OPTIONS: see selftests/spe/qemu
boot() {
	BUILD=$out/guest PMU_OPTIONS='' SPE_OPTIONS=$3 nice -n 19 "$QEMU_DIR/run.sh" \
		-k "$2" -m spe -s 2 -p sid -o "$out/$1" "$here/guest.sh" > "$out/$1.log" 2>&1 ||
		{ tail -n 20 "$out/$1.log" && return 1; }
}

# same NAME WANTED FOUND
same() {
	[ "$2" = "$3" ] || echo "# not $2 but $3" | tee -a "$out/tap"
	verdict "$1" "$([ "$2" = "$3" ] && echo 0 || echo 1)"
}

# caps MACHINE WANTED - each patch adds its file to caps/ and changes no other
caps() {
	local results=$out/$1/results names=(before pmsver max_record_size pbt) n added lost all=''

	for n in 1 2 3; do
		added=$(grep -vxFf "$results/caps$((n - 1))" "$results/caps$n" || true)
		lost=$(grep -vxFf "$results/caps$n" "$results/caps$((n - 1))" || true)
		all+=${all:+ }$added
		same "$1, patch $n of arm_spe_pmu adds ${names[n]} and changes no other file" \
			"${names[n]}" "$lost${added%=*}"
	done
	same "$1: the values are those of its registers" "$2" "$all"
}

spe_loop() { (BUILD=$out/guest guest_programs spe/spe_loop); }

# N2's MIDR with another PMSIDR_EL1, made up: no PBT, no FnE, records of up to 128 bytes
machine_step() {
	local recordings=() machine

	spe_loop && cp "$work"/arm_spe_pmu[0123].ko "$out/guest/selftests/" || return 1
	one_step "the emulated N3 boots, and perf records with the patched driver" boot n3 newest '' ||
		return 1
	caps n3 'pmsver=3 max_record_size=64 pbt=1'
	one_step "so does one with the MIDR of an N2 and other registers of SPE" boot n2 newest \
		midr=0x410fd490,spe-version=2,spe-pmsidr=0x27417 || return 1
	caps n2 'pmsver=2 max_record_size=128 pbt=0'
	for machine in 0x410fd8e0=n3 0x410fd490=n2; do
		recordings+=("${machine%=*}=$out/${machine#*=}/results/perf.data")
	done
	compared "${recordings[@]}"
}

# Its tree is never without the patches, so that make builds it once.
kernel_step() {
	local name patch

	say "half an hour the first time"
	fresh tree
	for name in "${series[@]}"; do
		for patch in $(patches "$name"); do
			applies "$patch" || return 1
		done
	done
	spe_loop || return 1
	one_step "$package $version: an arm64 kernel with all patches builds" build_kernel || return 1
	one_step "it boots with the driver built in, and perf records" boot kernel "$work/kernel" '' ||
		return 1
	same "caps/ has the three files" 'max_record_size=64 pbt=1 pmsver=3' \
		"$(grep -E '^(pmsver|max_record_size|pbt)=' "$out/kernel/results/caps3" | paste -sd ' ')"
}

cache_lock upstream
fetch
for step in "${steps[@]}"; do
	say "$step"
	before=$(failures)
	"${step}_step" && continue
	[ "$(failures)" -gt "$before" ] || echo "not ok - $step" | tee -a "$out/tap"
	[ "$step" != build ] || break
done
echo "$(grep -c '^ok ' "$out/tap" || true) passed, $(failures) failed"
[ "$(failures)" -eq 0 ]
