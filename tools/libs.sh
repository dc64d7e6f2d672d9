#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# libs.sh aarch64-linux-gnu - libraries of the tools for arm64, from Debian's
# archive. They cannot be installed next to this machine's own, so they are unpacked
# into the cache, with a database in which dpkg finds their packages. Prints the directory.

# shellcheck source=../selftests/qemu/lib.sh
. "$(dirname "$0")/../selftests/qemu/lib.sh"

[ "${1:?usage: libs.sh TRIPLET}" = aarch64-linux-gnu ] || die "no libraries for $1"
packages=(libncurses-dev libjson-c-dev libdw-dev libelf-dev zlib1g-dev liblzma-dev
	libbz2-dev libzstd-dev libiberty-dev libmicrohttpd-dev libgnutls28-dev libyaml-dev libcrypt-dev libjson-c5 libmicrohttpd12
	libgnutls30 libyaml-0-2 libcrypt1 libncursesw6 libtinfo6 libdw1 libelf1 zlib1g liblzma5
	libbz2-1.0 libzstd1 libc6)
packages=("${packages[@]/%/:arm64}")

# merge_lib - one directory of libraries, and no link to this machine's
merge_lib() {
	local link

	cp -a "$dir/lib/." "$dir/usr/lib/"
	rm -r "${dir:?}/lib"
	find "$dir/usr/lib" -lname '/*' | while read -r link; do
		ln -sf --relative "$dir/usr/lib/${1:?}/$(basename "$(readlink "$link")")" "$link"
	done
}

# register DEB - in a database for dpkg-shlibdeps, with the paths of the unpacked files
register() {
	local control=$dir/control name file

	dpkg-deb -e "$1" "$control"
	name=$(dpkg-deb -f "$1" Package)
	{
		sed '/^Description:/,$d' "$control/control"
		printf 'Status: install ok installed\nDescription: unpacked\n\n'
	} >> "$dir/dpkg/status"
	dpkg-deb --fsys-tarfile "$1" | tar -t |
		sed -nE "s,^\./(usr/)?lib/(.*[^/])\$,$dir/usr/lib/\2,p" > "$dir/dpkg/info/$name:arm64.list"
	for file in symbols shlibs; do
		[ ! -e "$control/$file" ] || cp "$control/$file" "$dir/dpkg/info/$name:arm64.$file"
	done
	rm -r "$control"
}

cache_lock libs
# Uses the cached copy if it is of the same packages; only accesses the network without one.
for dir in "$CACHE"/n3stat-libs/*/; do
	if [ "$(cat "$dir/complete" 2>/dev/null)" = "${packages[*]}" ]; then
		echo "${dir%/}"
		exit 0
	fi
done

apt_fresh
versions=$(for p in "${packages[@]}"; do version_of "$p"; done)
[ -n "$versions" ] || die "Debian's archive has no ${packages[*]}"
dir=$CACHE/n3stat-libs/$(echo "${packages[*]}" "$versions" | sha256sum | cut -c1-12)
say "fetching ${packages[*]}"
rm -rf "$dir"
download "$dir/debs" "${packages[@]}"
mkdir -p "$dir/dpkg/info"
echo 1 > "$dir/dpkg/info/format"
: > "$dir/dpkg/status"
for deb in "$dir"/debs/*.deb; do
	dpkg-deb -x "$deb" "$dir"
	register "$deb"
done
merge_lib "$1"
rm -rf "$dir/debs"
echo "${packages[*]}" > "$dir/complete"
echo "$dir"
