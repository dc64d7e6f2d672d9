#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# deb.sh [ARCHITECTURE...] - builds Debian packages into build/deb: by default for amd64 and arm64.
# Packages for another architecture than this machine's are cross-built with the libraries of
# tools/libs.sh; nothing is installed.

# shellcheck source=../../selftests/qemu/lib.sh
. "$(dirname "$0")/../../selftests/qemu/lib.sh"
cd "$TOP"
version=$(tools/dev/version.sh)
logged=$(sed -n '/^## /{s/^## \([^ ]*\).*/\1/p;q}' CHANGELOG.md)
[ "$logged" = "$version" ] ||
	die "CHANGELOG.md begins with version ${logged:-none}, but N3T_VERSION in n3t.h is $version"
tools/dev/install-deps.sh debhelper dh-dkms fakeroot >&2

out=$BUILD/deb
# Compiled objects do not depend on the path, and neither do build IDs, which are of the debug
# information as well.
export DEB_CFLAGS_APPEND=-g0
# with debug information, ccache would hide the folder
unset CCACHE_NOHASHDIR
DEB_BUILD_OPTIONS="nocheck noautodbgsym parallel=$JOBS"
export DEB_BUILD_OPTIONS+=" reproducible=-fixfilepath,-fixdebugpath"

# changelog - debian/changelog from CHANGELOG.md
changelog() {
	local maintainer

	maintainer=$(sed -n 's/^Maintainer: //p' debian/control)
	awk -v maintainer="$maintainer" '
	function finish()
	{
		if (date)
			printf "\n -- %s  %s\n\n", maintainer, date
	}
	/^## / {
		finish()
		("date -Ru -d " $4) | getline date
		printf "n3-telemetry (%s) unstable; urgency=medium\n\n", $2
		getline
		next
	}
	date && NF { print "  " $0 }
	END { finish() }
	' CHANGELOG.md
}

# files - of the tree, which may be unpacked from a release
files() {
	if [ -e .git ]; then
		git ls-files -z -co --exclude-standard --deduplicate |
			xargs -0 sh -c 'for name; do [ ! -e "$name" ] || printf "%s\\0" "$name"; done' sh
	else
		find . -path ./build -prune -o ! -type d -print0
	fi
}

# stage DIR - a copy of the tree
stage() {
	rm -rf "$1"
	mkdir -p "$1"
	files | tar --null -T - -c | tar -C "$1" -x
	changelog > "$1/debian/changelog"
}

# build ARCHITECTURE - with the packages for all architectures, if it is this machine's
build() {
	local options

	stage "$out/$1/source"
	if [ "$1" = "$HOST_ARCH" ]; then
		options=(--build=binary)
	else
		SYSROOT=$(tools/libs.sh "$(dpkg-architecture -qDEB_HOST_MULTIARCH -a "$1" 2>/dev/null)")
		export SYSROOT
		options=(--build=any --no-check-builddeps --host-arch="$1")
	fi
	(cd "$out/$1/source" && dpkg-buildpackage -us -uc "${options[@]}") > "$out/$1.log" 2>&1 || {
		tail -n 30 "$out/$1.log" >&2
		die "the packages for $1 cannot be built: see $out/$1.log"
	}
	mv "$out/$1"/*.deb "$out/"
	rm -r "${out:?}/$1/source"
}

[ $# -gt 0 ] || set -- amd64 arm64
mkdir -p "$out"
rm -f "$out"/*.deb
for arch; do
	build "$arch"
done
say "${out#"$TOP/"}: $(cd "$out" && echo ./*.deb)"
