#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# deb_next.sh DIR DEB... - writes the packages with a later version into DIR, for tests of upgrades

set -euo pipefail

dir=$1
shift
version=$("$(dirname "$0")/version.sh")
next=$version.1
mkdir -p "$dir"
for deb; do
	tree=$dir/tree
	dpkg-deb -R "$deb" "$tree"
	sed -i "s/^Version: .*/Version: $next/; s/= $version)/= $next)/" "$tree/DEBIAN/control"
	if [ -e "$tree/usr/src" ]; then
		mv "$tree/usr/src/n3-telemetry-$version" "$tree/usr/src/n3-telemetry-$next"
		sed -i "s/^DKMS_VERSION=.*/DKMS_VERSION=$next/" "$tree/DEBIAN"/{postinst,prerm}
		sed -i "s/^PACKAGE_VERSION=.*/PACKAGE_VERSION=\"$next\"/" \
			"$tree/usr/src/n3-telemetry-$next/dkms.conf"
		find "$tree/usr/src" -name n3t.h -exec sed -i \
			"s/^\(#define N3T_VERSION\).*/\1 \"$next\"/" {} +
	fi
	dpkg-deb --root-owner-group -Zgzip -b "$tree" "$dir" > /dev/null
	rm -r "$tree"
done
