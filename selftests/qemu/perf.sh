#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# perf.sh - prints the path of the newest perf in Debian's archive, for this machine. It comes with
# the libraries that it needs.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

cache_lock perf
apt_fresh sid
dir=$CACHE/perf/$(version_of linux-perf)
if [ ! -e "$dir/perf" ]; then
	say "fetching the newest perf"
	rm -rf "$CACHE/perf"
	mkdir -p "$dir/debs"
	apt-get -qq -y --download-only -o Dir::Cache::Archives="$dir/debs/" install \
		linux-perf >&2 || die "cannot download perf"
	for deb in "$dir"/debs/{lib,linux-perf,zlib}*.deb; do
		dpkg-deb -x "$deb" "$dir/root"
	done
	rm -rf "$dir/debs"
	program=$dir/root/usr/bin/perf
	libs=$(dirname "$(find "$dir/root/usr/lib" -name libc.so.6)")
	ld_so=$dir/root/usr$(patchelf --print-interpreter "$program")
	[ -e "$ld_so" ] || die "no $ld_so"
	patchelf --set-interpreter "$ld_so" --force-rpath --set-rpath "$libs" "$program"
	ln -s root/usr/bin/perf "$dir/perf"
fi
echo "$dir/perf"
