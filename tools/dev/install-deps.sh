#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# install-deps.sh [--all] [PACKAGE...] - installs missing Debian packages: those needed for
# building and for the emulated machine, with --all those of the tests as well, and the
# named ones. Silent if all are installed.

set -euo pipefail

packages=(
	# modules and tools, native and for arm64
	make gcc libc6-dev gcc-aarch64-linux-gnu libc6-dev-arm64-cross kmod
	libjson-c-dev libncurses-dev libbz2-dev libdw-dev libelf-dev libiberty-dev liblzma-dev libzstd-dev
	libmicrohttpd-dev libgnutls28-dev libyaml-dev libcrypt-dev
	# the emulated machine, and tools to run sid's programs here
	qemu-system-arm cpio xz-utils device-tree-compiler patchelf
)
if [ "${1:-}" = --all ]; then
	shift
	packages+=(
		# the test kernel
		linux-source-6.1 flex bison bc perl libelf-dev libssl-dev openssl
		# the emulated N3 whose PMU counts
		dpkg-dev patch ninja-build meson pkgconf python3
		libglib2.0-dev libpixman-1-dev libfdt-dev zlib1g-dev
		# a terminal and a browser for n3stat's pages
		tmux chromium fonts-dejavu-core groff-base procps
		# tests in user space, and checks
		python3 sparse coccinelle codespell shellcheck cppcheck
		# objects of an unchanged source, in whatever checkout
		ccache
		# references for the decoder of SPE packets, the consumer of n3stat's
		# branch profiles, and instructions counted
		linux-perf bolt-19 valgrind clang lld llvm
		# a parser of n3-exporter's output
		python3-prometheus-client
		# completion
		fish zsh
		# programs whose lines n3stat spe report has to find
		clang lld llvm dwz
		# findings of n3stat doctor
		dkms
		# the documentation as HTML
		python3-sphinx python3-myst-parser furo mandoc
		# units and pods of n3-exporter
		systemd python3-yaml strace python3-cryptography
		# Debian packages, and a system to install them in
		debhelper dh-dkms fakeroot lintian mmdebstrap
	)
	# tests of manifests and dashboards; other packages of nodejs have it and exclude Debian's
	command -v npm > /dev/null || packages+=(npm)
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

# apt ARGUMENT... - its output is shown only if it fails, or has to wait
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
