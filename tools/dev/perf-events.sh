#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# perf-events.sh - perf's events and metrics of the Neoverse N3 in Debian's newest kernel
# source. Prints a folder: neoverse-n3/*.json, and the architecture's *.json with the codes of
# common events.

# shellcheck source=../../selftests/qemu/lib.sh
. "$(dirname "$0")/../../selftests/qemu/lib.sh"

cache_lock perf-events
# Uses the cached copy; only accesses the network without one.
for dir in "$CACHE"/perf-events/*/; do
	if [ -e "$dir/neoverse-n3" ]; then
		echo "$dir"
		exit 0
	fi
done

apt_fresh sid
package=$(depends_of linux-source | grep -m 1 '^linux-source-' || true)
[ -n "$package" ] || die "Debian's archive has no linux-source"
dir=$CACHE/perf-events/$(version_of "$package")
say "fetching $package (160 MB, once)"
new=$CACHE/perf-events/new
rm -rf "$CACHE/perf-events"
download "$new" "$package"
in=$package/tools/perf/pmu-events/arch/arm64
dpkg-deb --fsys-tarfile "$new"/*.deb | tar -xO --wildcards "./usr/src/$package.tar.xz" |
	tar -xJ -C "$new" --strip-components=6 --wildcards "$in/arm/neoverse-n3" "$in/*.json"
mkdir -p "$dir"
mv "$new"/*.json "$dir/"
mv "$new/arm/neoverse-n3" "$dir/"
rm -rf "$new"
echo "$dir"
