#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# libs.sh aarch64-linux-gnu - libraries of the tools for arm64, from Debian's
# archive. They cannot be installed next to this machine's own, so they are unpacked
# into the cache. Prints the directory.

# shellcheck source=../selftests/qemu/lib.sh
. "$(dirname "$0")/../selftests/qemu/lib.sh"

[ "${1:?usage: libs.sh TRIPLET}" = aarch64-linux-gnu ] || die "no libraries for $1"
packages=(libncurses-dev libjson-c-dev libdw-dev libelf-dev zlib1g-dev liblzma-dev
	libmicrohttpd-dev libjson-c5 libmicrohttpd12)
packages=("${packages[@]/%/:arm64}")

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
for deb in "$dir"/debs/*.deb; do
	dpkg-deb -x "$deb" "$dir"
done
rm -rf "$dir/debs"
echo "${packages[*]}" > "$dir/complete"
echo "$dir"
