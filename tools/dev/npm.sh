#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# npm.sh - npm's packages for checks of manifests, dashboards and workflows, of the versions in
# npm/package-lock.json, in the cache. Prints the directory; nothing and a warning without a network.

# shellcheck source=../../selftests/qemu/lib.sh
. "$(dirname "$0")/../../selftests/qemu/lib.sh"

lock=$TOP/tools/dev/npm
key=$(hash_of "$lock"/package*.json)
dir=$CACHE/npm/$key
cache_lock npm
if [ ! -e "$dir" ]; then
	say "fetching the packages of ${lock#"$TOP/"}"
	rm -rf "$dir.new"
	mkdir -p "$dir.new"
	cp "$lock"/package*.json "$dir.new/"
	# no script of a package is run
	(cd "$dir.new" && npm ci --ignore-scripts --no-audit --no-fund --cache cache \
		--fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-timeout=60000) \
		> "$dir.new/log" 2>&1 || die "npm cannot fetch its packages: see $dir.new/log"
	rm -r "$dir.new/cache"
	mv "$dir.new" "$dir"
fi
echo "$dir"
