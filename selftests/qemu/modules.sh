#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# modules.sh KERNEL [MAKE-ARGUMENT...] - builds the modules for
#
#	6.1, 6.12	Debian's stock arm64 kernel of that series
#	newest		the one in sid, built with sid's compiler
#	6.1-amd64 ...	the same for another architecture: a compile check
#	6.1-cloud	Debian's for virtual machines
#	6.1-rt		Debian's with PREEMPT_RT
#	6.1-oldest	the oldest 6.1 in Debian's archive
#	6.1.0, 6.12.0	headers that lack what those releases lack: see edited.sh
#	debug, kcsan	our small ones with KUnit and checkers: see kernel.sh
#	64k		the same with pages of 64 KB, without checkers
#	/a/folder	any prepared kernel build tree, for its own machine
#
# into build/KERNEL/ (a folder: build/<its release>/). Warnings are errors but
# in the last case, where the compiler is not ours to choose.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

kernel=${1:?usage: modules.sh KERNEL [MAKE-ARGUMENT...]}
shift
name=$kernel
arm64=(ARCH=arm64 "CROSS_COMPILE=$CROSS")
# 6.1 has no W=e. The kernel's headers bring a vmlinux from 6.12 on, and BTF
# from it would need a pahole that may be newer than Debian's. Debug information would
# be nineteen parts in twenty of what the emulated machine has to load.
strict=(W=1 'KCFLAGS=-Werror -g0' CONFIG_DEBUG_INFO_BTF_MODULES=)

case $kernel in
*-amd64)
	kdir=$("$QEMU_DIR/stock.sh" "${kernel%-*}" "${kernel##*-}")/kdir
	args=(ARCH=x86 "${strict[@]}")
	;;
*.*.0)
	kdir=$("$QEMU_DIR/edited.sh" "$kernel")
	args=("${arm64[@]}" "${strict[@]}")
	;;
[0-9]*.* | newest*)
	kdir=$("$QEMU_DIR/stock.sh" "$kernel")/kdir
	args=("${arm64[@]}" "${strict[@]}")
	;;
[!/]*)
	kdir=$("$QEMU_DIR/kernel.sh" "$kernel")/kdir
	args=("${arm64[@]}" "${strict[@]}")
	;;
*)
	kdir=$kernel
	# Debian's kernel.release is not what uname -r says
	name=$(sed -n 's/#define UTS_RELEASE "\(.*\)"/\1/p' \
		"$kdir/include/generated/utsrelease.h" 2>/dev/null) ||
		die "$kdir is no kernel build tree: install the kernel's headers or give KDIR="
	args=()
	;;
esac

# The kernel leaves its objects beside the sources: give it a tree of links,
# so that the checkout stays clean and two kernels do not share objects.
out=$BUILD/$name
obj=$out/obj
mkdir -p "$obj"
lock "$out/.lock"
find "$obj" -type l -delete
cp -rs "$TOP/drivers" "$TOP/include" "$TOP/Kbuild" "$obj/"

make -s -C "$kdir" M="$obj" "${args[@]}" -j"$JOBS" modules "$@" </dev/null
find "$obj" -name '*.ko' -exec cp -u -t "$out" {} +
say "${out#"$TOP/"}: $(cd "$out" && echo ./*.ko)"
