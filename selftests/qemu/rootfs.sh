#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# rootfs.sh [SUITE] - user space of the emulated machine as an initramfs: Debian's static
# busybox, the real perf with its libraries, those of n3-exporter, and terminal descriptions of
# ncurses; of another suite of Debian only busybox and perf. Prints the name of the cpio.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

suite=${1:-}

cache_lock rootfs
apt_fresh $suite

# libraries that n3-exporter is linked with
shared=(libmicrohttpd libgnutls libyaml-0 libcrypt libz libjson-c)
terms=(vt100 linux xterm xterm-256color)
packages=(linux-perf:arm64 busybox-static:arm64 ncurses-base libmicrohttpd12:arm64
	libgnutls30:arm64 libyaml-0-2:arm64 libcrypt1:arm64 zlib1g:arm64 libjson-c5:arm64)
if [ -n "$suite" ]; then
	shared=() terms=() packages=(linux-perf:arm64 busybox-static:arm64)
fi
key=$(for p in "${packages[@]}"; do version_of "$p"; done |
	cat - "$0" | sha256sum | cut -c1-12)
cpio=$CACHE/rootfs/$key.cpio
if [ -e "$cpio" ]; then
	echo "$cpio"
	exit 0
fi

say "fetching perf, busybox and terminfo for arm64"
work=$CACHE/rootfs/work
all=$work/all
root=$work/root
rm -rf "$work"
mkdir -p "$all" "$root"/{bin,dev,etc,lib,proc,root,sys,tmp,usr/bin}

# With arm64 as the only architecture and nothing installed, apt fetches the
# whole closure of dependencies.
apt-get -qq -y --download-only -o APT::Architecture=arm64 \
	-o APT::Architectures=arm64 -o Dir::Cache::Archives="$work/" \
	install "${packages[@]}" >&2 || die "cannot download ${packages[*]}"
for deb in "$work"/*.deb; do
	dpkg-deb -x "$deb" "$all"
done

# needed FILE - shared objects required by it, by soname
needed() {
	"${CROSS}readelf" -d "$1" |
		sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'
}

# add_libs FILE - copies them and their dependencies
add_libs() {
	local so path

	for so in $(needed "$1"); do
		[ ! -e "$root/lib/$so" ] || continue
		path=$(find "$all" -name "$so" -print -quit)
		[ -n "$path" ] || die "no package has $so"
		cp -L "$path" "$root/lib/$so"
		add_libs "$path"
	done
}

perf=$(find "$all"/usr/bin -name 'perf' -o -name 'perf_[0-9]*' | tail -n 1)
# the package's "perf" is a script that looks for the running kernel's version
"${CROSS}readelf" -h "$perf" >/dev/null 2>&1 || die "$perf is not a program"
cp -L "$perf" "$root/usr/bin/perf"
add_libs "$perf"
for lib in "${shared[@]}"; do
	so=$(find "$all" -name "$lib.so.*" -type l -print -quit)
	[ -n "$so" ] || die "no package has $lib"
	cp -L "$so" "$root/lib/${so##*/}"
	add_libs "$so"
done
cp "$(find "$all" -path '*/bin/busybox' -print -quit)" "$root/bin/busybox"
for link in bin/sh sbin/modprobe; do
	mkdir -p "$root/${link%/*}"
	ln -s /bin/busybox "$root/$link"
done
# the directory in which Debian's ncurses, linked with n3stat, looks
for term in "${terms[@]}"; do
	mkdir -p "$root/lib/terminfo/${term:0:1}"
	cp -L "$all/lib/terminfo/${term:0:1}/$term" "$root/lib/terminfo/${term:0:1}/"
done
ln -s ../lib "$root/usr/lib"
echo 'root:x:0:0:root:/root:/bin/sh' > "$root/etc/passwd"
echo 'root:x:0:' > "$root/etc/group"

(cd "$root" && find . | LC_ALL=C sort | cpio -o -H newc -R 0:0 --quiet) \
	> "$cpio.new"
mv "$cpio.new" "$cpio"
rm -rf "$work"
echo "$cpio"
