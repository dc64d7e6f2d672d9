#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# qemu.sh - QEMU for the machines n3*: Debian's source package with the patches named in
# the file series here. Prints the program. Nothing but what run.sh asks for is built in.
#
# qemu.sh --source only fetches the source package.

# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

patches=$QEMU_DIR/n3
mapfile -t series < <(grep -v '^#' "$patches/series")

cache_lock qemu
apt_fresh source
version=$(apt-cache showsrc --only-source qemu | sed -n 's/^Version: //p' | sort -V | tail -n 1)
[ -n "$version" ] || die "Debian's archive has no source package of QEMU"
dir=$CACHE/qemu/${version#*:}-$(hash_of "$0" "${series[@]/#/$patches/}")
program=$dir/qemu-system-aarch64
if [ -e "$program" ]; then
	echo "$program"
	exit 0
fi

work=$dir/work
mkdir -p "$work"
cd "$work"
# what is there already and whole is not fetched again
apt-get -qq source --download-only "qemu=$version" >&2 ||
	die "cannot download the source package of QEMU"
[ "${1:-}" != --source ] || exit 0

say "building QEMU $version with a PMU that counts (some three minutes, once)"
rm -rf src build
unset APT_CONFIG
{
	# apt has checked the signatures
	dpkg-source --no-check -x ./*.dsc src
	for patch in "${series[@]}"; do
		patch -d src -p1 --fuzz=0 < "$patches/$patch"
	done
	mkdir build
	cd build
	../src/configure --target-list=aarch64-softmmu --with-devices-aarch64=n3 \
		--without-default-features --without-default-devices --enable-system \
		--enable-tcg --enable-fdt=system --disable-docs --disable-tools \
		--disable-debug-info
	ninja -j "$JOBS" qemu-system-aarch64
} > "$dir/log" 2>&1 </dev/null || {
	tail -n 20 "$dir/log" >&2
	die "QEMU cannot be built: see $dir/log; packages: tools/dev/install-deps.sh --all"
}
strip -o "$program.new" qemu-system-aarch64
cd "$dir"
rm -rf "$work"
# last: it says that all is there
mv "$program.new" "$program"
echo "$program"
