#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# install-deps.sh [--all] [PACKAGE...] - installs the Debian packages that
# building and the emulated machine want, with --all those of the tests as well,
# and those named, where they are missing. Says nothing and does nothing when
# all are there.

set -euo pipefail

packages=(
	# modules and tools, native and for arm64
	make gcc libc6-dev gcc-aarch64-linux-gnu libc6-dev-arm64-cross kmod
	libjson-c-dev libncurses-dev libdw-dev libelf-dev
	# the emulated machine, and sid's programs made to run here
	qemu-system-arm cpio xz-utils device-tree-compiler patchelf
)
if [ "${1:-}" = --all ]; then
	shift
	packages+=(
		# the test kernel
		linux-source-6.1 flex bison bc perl libelf-dev libssl-dev
		# the emulated N3 whose PMU counts
		dpkg-dev patch ninja-build meson pkgconf python3
		libglib2.0-dev libpixman-1-dev libfdt-dev zlib1g-dev
		# a terminal and a browser to show n3stat's pages in
		tmux chromium fonts-dejavu-core groff-base
		# tests in user space, and checks
		python3 sparse coccinelle codespell shellcheck cppcheck
		# what the decoder of SPE packets is compared with, and what takes
		# n3stat's profiles of branches
		linux-perf bolt-19
	)
fi
packages+=("$@")

installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "${packages[@]}" \
	2>/dev/null || true)
missing=()
for p in "${packages[@]}"; do
	grep -qx "$p installed" <<< "$installed" || missing+=("$p")
done
[ ${#missing[@]} -gt 0 ] || exit 0

sudo=()
if [ "$(id -u)" -ne 0 ]; then
	sudo=(sudo)
fi
echo "installing ${missing[*]}"
"${sudo[@]}" apt-get -qq update
"${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y \
	--no-install-recommends install "${missing[@]}" </dev/null
