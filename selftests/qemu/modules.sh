#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# modules.sh KERNEL [install] [MAKE-ARGUMENT...] - builds the modules for
#
#	6.1, 6.12	Debian's stock arm64 kernel of that series
#	newest		the one in sid, with sid's compiler
#	6.1-amd64 ...	the same for another architecture: a compile check
#	6.1-cloud	Debian's for virtual machines
#	6.1-rt, 6.12-rt	Debian's with PREEMPT_RT
#	6.12-16k	Debian's with pages of 16 KB
#	6.1-oldest	the oldest 6.1 in Debian's archive
#	6.1.0		headers without later stable changes: see edited.sh
#	debug, kcsan	small ones with KUnit and checkers: see kernel.sh
#	64k		the same with pages of 64 KB, without checkers
#	/a/folder	any prepared kernel build tree, for its own architecture
#
# into build/KERNEL/ (a folder: build/<its release>/), or builds and installs n3_telemetry alone:
# the others are for tests. Warnings are errors except in the last case, which uses the compiler
# that built the kernel.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

kernel=${1:?usage: modules.sh KERNEL [install] [MAKE-ARGUMENT...]}
shift
install=''
if [ "${1:-}" = install ]; then
	install=1
	shift
fi
name=$kernel
arm64=(ARCH=arm64 "CROSS_COMPILE=$CROSS")
# 6.1 has no W=e. From 6.12 on the kernel's headers contain a vmlinux, and BTF from it would
# need a pahole that may be newer than Debian's. Debug information would be 95 % of the size
# that the emulated machine has to load.
strict=(W=1 'KCFLAGS=-Werror -g0' CONFIG_DEBUG_INFO_BTF_MODULES=)

# setting NAME - of the configuration of the kernel in $kdir
setting() { sed -n "s/^CONFIG_$1=//p" "$kdir/include/config/auto.conf" 2>/dev/null; }

# major PROGRAM - major version of a clang, or nothing if it does not exist
major() {
	"$1" --version 2>/dev/null | sed -n 's/.*clang version \([0-9]*\)\..*/\1/p'
}

# clang_args - make arguments for the clang that built the kernel, if one did: plain clang
# if it has that version, otherwise that version by name, or a newer one
clang_args() {
	local built suffix='' have program

	[ "$(setting CC_IS_CLANG)" = y ] && [ -z "${LLVM:-}" ] || return 0
	built=$(setting CLANG_VERSION)
	[ -n "$built" ] ||
		die "$kdir was configured for clang, without CONFIG_CLANG_VERSION: configure it again"
	built=$((built / 10000))
	have=$(major clang)
	if [ "${have:-0}" -ne "$built" ] && [ -n "$(major "clang-$built")" ]; then
		suffix=-$built
	elif [ "${have:-0}" -lt "$built" ]; then
		die "the kernel was built with clang $built: install it (clang-$built), or a newer one as clang"
	fi
	if [ "$(setting LD_IS_LLD)" != y ]; then
		echo "CC=clang$suffix"
		return
	fi
	for program in ld.lld llvm-ar llvm-nm llvm-objcopy; do
		command -v "$program$suffix" > /dev/null ||
			die "the kernel was built with LLVM's tools: install $program$suffix (lld$suffix, llvm$suffix)"
	done
	echo "LLVM=${suffix:-1}"
}

case $kernel in
[!/]*-amd64)
	kdir=$("$QEMU_DIR/stock.sh" "${kernel%-*}" "${kernel##*-}")/kdir
	args=(ARCH=x86 "${strict[@]}")
	;;
[!/]*.*.0)
	kdir=$("$QEMU_DIR/edited.sh" "$kernel")
	args=("${arm64[@]}" "${strict[@]}")
	;;
[0-9]*.* | newest*)
	kdir=$("$QEMU_DIR/stock.sh" "$kernel")/kdir
	args=("${arm64[@]}" "${strict[@]}")
	;;
[!/]*)
	kdir=$("$QEMU_DIR/kernel.sh" "$kernel")/kdir
	args=("${arm64[@]}" "${strict[@]}" "CC=${CCACHE:+$CCACHE }${CROSS}gcc")
	;;
*)
	kdir=$kernel
	# Debian's kernel.release differs from uname -r
	name=$(sed -n 's/#define UTS_RELEASE "\(.*\)"/\1/p' \
		"$kdir/include/generated/utsrelease.h" 2>/dev/null) || true
	[ -n "$name" ] && [ -e "$kdir/Makefile" ] ||
		die "$kdir is not a kernel build tree: install the kernel's headers or give KDIR="
	clang=$(clang_args)
	args=(${clang:+"$clang"})
	;;
esac

# what the last build lists is installed
[ -z "$install" ] || args+=(CONFIG_N3_SIM= CONFIG_N3_TELEMETRY_KUNIT_TEST=)

# The kernel writes objects next to the sources: a tree of links keeps the checkout clean
# and separates the objects of two kernels.
out=$BUILD/$name
obj=$out/obj
case $kdir$obj in
*[[:space:]:]*) die "kernel builds do not support paths with a blank or a colon: $kdir, $obj" ;;
esac
mkdir -p "$obj"
# The result of compiling depends on the path of the sources: for ccache, it is the same for
# all checkouts.
at=$obj
if [[ -n "$CCACHE" && $kernel != /* ]]; then
	at=$CACHE/modules/$name
	mkdir -p "$CACHE/modules"
	cache_lock "modules-$name"
	ln -sfn "$obj" "$at"
	args+=(DEBIAN_KERNEL_USE_CCACHE=1)
else
	lock "$out/.lock"
fi
find "$obj" -type l -delete
cp -rs "$TOP/drivers" "$TOP/include" "$TOP/Kbuild" "$obj/"

make -s -C "$kdir" M="$at" "${args[@]}" -j"$JOBS" "$@" modules </dev/null
find "$obj" -name '*.ko' -exec cp -u -t "$out" {} +
say "${out#"$TOP/"}: $(cd "$out" && echo ./*.ko)"

# Separate from the build above, which would otherwise install the previous modules.
[ -z "$install" ] || make -s -C "$kdir" M="$at" "${args[@]}" "$@" modules_install </dev/null
