#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# chroot.sh - prints the directory of a Debian system of this machine's release and architecture,
# with what the packages depend on. Needs root. It is kept in the cache, and copied before use.

# shellcheck source=../../selftests/qemu/lib.sh
. "$(dirname "$0")/../../selftests/qemu/lib.sh"

packages=(dkms systemd libdw1 libelf1 libgnutls30 libjson-c5 libmicrohttpd12 libncursesw6 liblzma5
	libyaml-0-2 zlib1g)

cache_lock chroot
apt_fresh
suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
key=$(for p in "${packages[@]}" base-files; do version_of "$p"; done | sha256sum | cut -c1-12)
dir=$CACHE/chroot/$suite-$HOST_ARCH-$key
if [ ! -e "$dir.complete" ]; then
	say "installing Debian $suite into $dir"
	rm -rf "$dir"
	mkdir -p "${dir%/*}"
	sources=$(apt_sources)
	unset APT_CONFIG
	mapfile -t options < <(apt-config dump --format '%F "%v"%n' Acquire::http::Proxy \
		Acquire::https::Proxy Acquire::Check-Valid-Until Acquire::Check-Date)
	mmdebstrap --quiet --variant=apt --include="$(IFS=,; echo "${packages[*]}")" \
		--aptopt='APT::Install-Recommends "false"' "${options[@]/#/--aptopt=}" \
		"$suite" "$dir" - <<< "$sources" >&2
	touch "$dir.complete"
fi
echo "$dir"
