#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kernel.sh VARIANT - a small arm64 kernel with KUnit from Debian's
# linux-source-6.1, configured by kernel.config and VARIANT.config (debug: checkers
# except KCSAN; kcsan: data races; 64k: pages of 64 KB).
# Prints a folder as stock.sh does:
#
#	abi	the kernel release
#	Image	the kernel
#	kdir	KDIR= for a module build
#
# kernel.sh --source only unpacks the source and prints its folder: for its
# checkpatch and the like.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

variant=${1:?usage: kernel.sh VARIANT}
package=linux-source-6.1
version=$(dpkg-query -W -f '${Version}' "$package" 2>/dev/null) ||
	die "$package is not installed: run tools/dev/install-deps.sh"
src=$CACHE/source/$version

kmake() {
	make -s -C "$src" O="$out" ARCH=arm64 CROSS_COMPILE="$CROSS" "$@" \
		</dev/null >&2
}

cache_lock source
if [ ! -e "$src/.unpacked" ]; then
	say "unpacking $package"
	rm -rf "$src"
	mkdir -p "$src"
	tar -xf "/usr/src/$package.tar.xz" -C "$src" --strip-components=1
	touch "$src/.unpacked"
fi
if [ "$variant" = --source ]; then
	echo "$src"
	exit 0
fi

fragments=("$QEMU_DIR/kernel.config" "$QEMU_DIR/$variant.config")
[ -e "${fragments[1]}" ] || 
	die "unknown kernel $variant: known are 6.1, 6.12, newest, debug (see modules.sh)"
out=$CACHE/kernel/$version-$variant-$(hash_of "${fragments[@]}")
# other variants do not wait for this one
cache_lock "${out##*/}"
if [ -e "$out/Image" ]; then
	echo "$out"
	exit 0
fi

say "building the $variant kernel (a few minutes, once)"
rm -rf "$out"
mkdir -p "$out"
kmake tinyconfig 2>/dev/null
cat "${fragments[@]}" >> "$out/.config"
# prints every choice that the fragments change: expected
kmake olddefconfig 2>/dev/null

# Kconfig silently drops settings whose dependencies are missing
lost=$(cat "${fragments[@]}" | grep 'CONFIG_' | grep -vxFf "$out/.config" || true)
[ -z "$lost" ] || die "Kconfig dropped:" "$lost"

# a line "# make: WORDS" in VARIANT.config: additional arguments of make
read -ra more < <(sed -n 's/^# make: //p' "${fragments[1]}") || true
kmake -j"$JOBS" "${more[@]}" Image modules
make -s -C "$src" O="$out" ARCH=arm64 kernelrelease > "$out/abi"
ln -s . "$out/kdir"
# last: marks the folder as complete
ln -s arch/arm64/boot/Image "$out/Image"
echo "$out"
