#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# image_libs.sh - Debian's packages with the libraries of n3-exporter, for arm64 and for this
# machine's architecture. Each is unpacked into a directory ARCHITECTURE/PACKAGE in the cache; prints
# the directory above.

# shellcheck source=../../selftests/qemu/lib.sh
. "$(dirname "$0")/../../selftests/qemu/lib.sh"

# an image only gets the libraries that the program needs, and licences
packages=(libc6 libcrypt1 libjson-c5 libmicrohttpd12 libyaml-0-2 zlib1g base-files)

# apt_install ARCHITECTURE OPTION... - of the packages with all dependencies: nothing is installed
apt_install() {
	apt-get -qq -y -o APT::Architecture="$1" -o APT::Architectures="$1" "${@:2}" \
		install "${packages[@]}"
}

cache_lock image
apt_fresh
mapfile -t architectures < <(printf '%s\n' "$HOST_ARCH" arm64 | sort -u)
# names and hashes of files, without the archive's address
key=$(for arch in "${architectures[@]}"; do
	apt_install "$arch" --print-uris | cut -d' ' -f2-
done | cat - "$0" | hash_of)
dir=$CACHE/image/$key
if [ ! -e "$dir" ]; then
	say "fetching ${packages[*]}"
	rm -rf "$dir.new"
	for arch in "${architectures[@]}"; do
		mkdir -p "$dir.new/debs/partial" "$dir.new/$arch"
		apt_install "$arch" --download-only -o Dir::Cache::Archives="$dir.new/debs/" >&2 ||
			die "cannot download ${packages[*]}"
		for deb in "$dir.new"/debs/*.deb; do
			dpkg-deb --raw-extract "$deb" "$dir.new/$arch/$(dpkg-deb -f "$deb" Package)"
		done
		rm -r "$dir.new/debs"
	done
	mv "$dir.new" "$dir"
fi
echo "$dir"
