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
		tmux chromium fonts-dejavu-core groff-base procps
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
# On a new machine another apt may be at work for minutes.
LOCK_SECONDS=600
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# apt ARGUMENT... - what it says is of interest only when it fails, or has to wait
apt() {
	local said=''

	until "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -qq \
		-o Acquire::Retries=3 -o Acquire::http::Timeout=60 "$@" </dev/null >"$log" 2>&1; do
		if [ $SECONDS -ge $LOCK_SECONDS ] || ! grep -q 'Could not get lock' "$log"; then
			cat "$log" >&2
			exit 1
		fi
		if [ -z "$said" ]; then
			said=$(grep -m 1 'Could not get lock' "$log")
			echo "  waiting: $said" >&2
		fi
		sleep 2
	done
}

echo "  installing ${missing[*]}"
apt update
apt -y --no-install-recommends install "${missing[@]}"
