#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# install.sh [STAGE...] - installs the Debian packages of "make deb" in an emulated arm64 machine of
# Neoverse N3 CPUs with systemd, apt, DKMS and Debian's own kernels. Needs root. Each stage is one
# boot of a system, on a copy of the disk that an earlier stage has left; that one runs first
# unless its disk is there and of the same packages. All stages, with Debian 12 unless named:
#
#	install		apt installs, DKMS builds, values, the self-test
#	reboot		after install: the next boot; stop and restart with open files
#	upgrade		after install: the next version, with open files and own settings
#	downgrade	after upgrade: the boot of that; back, in the same way
#	kernel		after install: apt installs Linux 6.12, DKMS builds for it
#	kernel-boot	after kernel: the boot of that
#	no-headers	after install: that kernel without its headers
#	remove		after install: removal with open files, and purge
#	no-n3		after install: the boot of a machine with other CPUs
#	debian13	as install, on Debian 13
#	debian13-boot	as reboot, on Debian 13
#
# guest/install.sh runs there; events occur at random rates. build/test-install has the output of
# each stage and the consoles, build/test-install.disks the disks that later stages start from.
# Systems, QEMU and kernels are in the cache.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tally.sh
. "$QEMU_DIR/tally.sh"

disks=$BUILD/test-install.disks
debs=$BUILD/deb
all=(install reboot upgrade downgrade kernel kernel-boot no-headers remove no-n3
	debian13 debian13-boot)

# after STAGE - which one it starts from; nothing: a new system
after() {
	case $1 in
	install | debian13) ;;
	downgrade) echo upgrade ;;
	kernel-boot) echo kernel ;;
	debian13-*) echo debian13 ;;
	*) echo install ;;
	esac
}

release_of() {
	case $1 in
	debian13*) echo trixie ;;
	*) echo bookworm ;;
	esac
}

# index DIR - apt's, of the packages in it
index() { (cd "$1" && dpkg-scanpackages -m . 2>/dev/null > Packages); }

# make_media STAGE - the second disk
make_media() {
	local tree=$out/media.d

	mkdir -p "$tree/repo"
	cp "$QEMU_DIR/guest/install.sh" "$tree/stage"
	echo "$1 $(tools/dev/version.sh) ${kernels[-1]}" > "$tree/name"
	cp "$image"/debs/*.deb "$debs"/*_all.deb "$debs"/*_arm64.deb "$tree/repo/"
	index "$tree/repo"
	tools/dev/deb_next.sh "$tree/next" "$debs"/*_all.deb "$debs"/*_arm64.deb
	index "$tree/next"
	truncate -s 1G "$out/media"
	mke2fs -q -t ext4 -O ^has_journal -d "$tree" "$out/media"
	rm -r "$tree"
}

# key_of STAGE - what the disk that it leaves depends on
key_of() {
	{
		"$QEMU_DIR/install_image.sh" "$(release_of "$1")"
		cat "$0" tools/dev/deb_next.sh "$QEMU_DIR/guest/install.sh" "$debs"/*_all.deb "$debs"/*_arm64.deb
	} | sha256sum
}

is_done() { [ -e "$disks/$1" ] && [ "$(cat "$disks/$1.key" 2>/dev/null)" = "$(key_of "$1")" ]; }

# run_stage STAGE - TAP
run_stage() {
	local before base kernel program cpu cpus=2 n
	out=$LOGS/$1.d

	mkdir -p "$out" "$disks"
	image=$("$QEMU_DIR/install_image.sh" "$(release_of "$1")")
	mapfile -t kernels < "$image/kernels"
	before=$(after "$1")
	base=$image/disk kernel=${kernels[0]}
	[ -z "$before" ] || base=$disks/$before
	[ "$1" != kernel-boot ] || kernel=${kernels[-1]}
	make_media "$1"
	rm -f "$disks/$1" "$disks/$1.key"
	qemu-img create -q -f qcow2 -b "$base" -F "$([ -z "$before" ] && echo raw || echo qcow2)" \
		"$disks/$1.new"

	program=$("$QEMU_DIR/n3/qemu.sh")
	for ((n = 0; n < cpus; n++)); do
		awk -v seed=$n -v cpu=$n -f "$TOP/selftests/lib/issue.awk" \
			-f "$TOP/selftests/lib/rates.awk" "$TOP/selftests/spec/events.tsv"
	done > "$out/rates"
	cpu="max,midr=0x410fd8e0,pauth-impdef=on,pmu-rates=$out/rates,pmu-counters=6"
	[ "$1" != no-n3 ] || cpu=cortex-a57
	"$program" -nodefaults -no-user-config -no-reboot -display none \
		-M virt,gic-version=3 -accel tcg,thread=multi -cpu "$cpu" -smp $cpus -m 2G \
		-kernel "$image/boot/$kernel/Image" -initrd "$image/boot/$kernel/initrd" \
		-drive "if=none,id=system,format=qcow2,cache=unsafe,file=$disks/$1.new" \
		-device virtio-blk-pci,drive=system \
		-drive "if=none,id=media,format=raw,readonly=on,file=$out/media" \
		-device virtio-blk-pci,drive=media \
		-device virtio-serial-pci -chardev "file,id=results,path=$out/results" \
		-device virtserialport,chardev=results,name=results \
		-serial "file:$out/console" \
		-append "console=ttyAMA0 loglevel=5 panic=-1 oops=panic panic_on_warn=1 \
rcupdate.rcu_cpu_stall_timeout=300 watchdog_thresh=60 systemd.show_status=1"
	rm "$out/media"
	cat "$out/results"
	mv "$disks/$1.new" "$disks/$1"
	if grep -q '^1\.\.' "$out/results" && ! grep -q '^not ok' "$out/results"; then
		key_of "$1" > "$disks/$1.key"
	fi
}

# with_earlier STAGE - runs it, after those it needs
with_earlier() {
	local before

	before=$(after "$1")
	if [ -n "$before" ] && ! is_done "$before"; then
		with_earlier "$before"
	fi
	report "$1" "$0" --stage "$1"
	ran+=("$1")
}

cd "$TOP"
case ${1:-} in
--stage) run_stage "$2"; exit ;;
esac
[ "$(id -u)" -eq 0 ] || die "needs root"
[ $# -gt 0 ] || set -- "${all[@]}"
for stage; do
	[[ " ${all[*]} " = *" $stage "* ]] || die "unknown stage $stage: ${all[*]}"
done
tools/dev/install-deps.sh --all qemu-user-static arch-test qemu-utils
supervised 400 "$BUILD/test-install" "$@"
build packages tools/dev/deb.sh
# Once; they would not be seen as parts otherwise.
build "QEMU with a PMU that counts" "$QEMU_DIR/n3/qemu.sh"
for release in $(for stage; do release_of "$stage"; done | sort -u); do
	build "system: Debian $release for arm64" "$QEMU_DIR/install_image.sh" "$release"
done
ran=()
for stage; do
	[[ " ${ran[*]} " = *" $stage "* ]] || with_earlier "$stage"
done
