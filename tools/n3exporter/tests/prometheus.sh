#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# prometheus.sh - Debian's prometheus, promtool, node_exporter and Alertmanager for the tests.
# Installed, they would listen on all interfaces, so they are unpacked into the cache.
# Prints the directory of the programs.

# shellcheck source=../../../selftests/qemu/lib.sh
. "$(dirname "$0")/../../../selftests/qemu/lib.sh"

packages=(prometheus prometheus-node-exporter prometheus-alertmanager)

cache_lock prometheus
# Uses the cached copy; only accesses the network without one.
for dir in "$CACHE"/prometheus/*/; do
	if [ "$(cat "$dir/complete" 2>/dev/null)" = "${packages[*]}" ]; then
		echo "${dir}usr/bin"
		exit 0
	fi
done

apt_fresh
versions=$(for p in "${packages[@]}"; do version_of "$p"; done)
[ -n "$versions" ] || die "Debian's archive has no ${packages[*]}"
dir=$CACHE/prometheus/$(echo "$versions" | sha256sum | cut -c1-12)
say "fetching ${packages[*]}"
rm -rf "$dir"
download "$dir/debs" "${packages[@]}"
for deb in "$dir"/debs/*.deb; do
	dpkg-deb -x "$deb" "$dir"
done
rm -rf "$dir/debs"
echo "${packages[*]}" >"$dir/complete"
echo "$dir/usr/bin"
