#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# stock.sh SERIES [ARCH] - Debian's stock kernel of a series (6.1, 6.12): its
# image, the modules that the emulated machine needs, and its headers, made
# usable where they lie. Prints the folder:
#
#	abi	the kernel release, as uname -r says it
#	Image	the kernel			(arm64 only)
#	lib/	its virtio modules		(arm64 only)
#	kdir	what KDIR= of a module build wants

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

series=${1:?usage: stock.sh SERIES [ARCH]}
arch=${2:-arm64}

cache_lock stock
apt_fresh

# Debian 12's own series has the meta packages without a number.
meta=linux-headers-$series-$arch
[ "$series" != 6.1 ] || meta=linux-headers-$arch
headers=$(depends_of "$meta:$arch" | grep '^linux-headers-' || true)
[ -n "$headers" ] || die "Debian's archive has no kernel $series for $arch"
abi=${headers#linux-headers-}
dir=$CACHE/stock/${abi}_$(version_of "$headers:$arch")

if [ -e "$dir/abi" ]; then
	echo "$dir"
	exit 0
fi

say "fetching Debian's kernel $abi"
rm -rf "$dir"
debs=$dir/debs
hdr=$dir/headers
mkdir -p "$hdr"

# The build tools in linux-kbuild run here, whatever the kernel is for.
mapfile -t common < <(depends_of "$headers:$arch" | grep -E '^linux-(headers|kbuild)-')
download "$debs" "$headers:$arch" "${common[@]/%/:$HOST_ARCH}"
for deb in "$debs"/*.deb; do
	dpkg-deb -x "$deb" "$hdr"
done
# absolute paths in the headers' makefiles are those of an installed package
sed -i "s#/usr/src/#$hdr/usr/src/#" "$hdr/usr/src/$headers/Makefile"
ln -s "headers/usr/src/$headers" "$dir/kdir"

if [ "$arch" = arm64 ]; then
	download "$dir/image" "linux-image-$abi:$arch"
	dpkg-deb --fsys-tarfile "$dir"/image/*.deb |
		tar -x -C "$dir" --wildcards './boot/vmlinuz-*' \
			'./lib/modules/*/virtio_*.ko*'
	mv "$dir"/boot/vmlinuz-* "$dir/Image"
	find "$dir/lib" -name '*.ko.xz' -exec xz -d {} +
fi

rm -rf "${dir:?}"/{debs,image,boot}
echo "$abi" > "$dir/abi"
echo "$dir"
