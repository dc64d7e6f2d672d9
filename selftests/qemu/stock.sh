#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# stock.sh SERIES [ARCH] - Debian's stock kernel of a series (6.1, 6.12; newest: the
# one in sid; 6.1-cloud: for virtual machines; 6.1-rt, 6.12-rt: with PREEMPT_RT; 6.12-16k:
# with pages of 16 KB): its image, the modules needed by the emulated machine, and its
# headers, usable in place.
# 6.1-oldest: only the headers of the oldest 6.1 in the archive. Prints the folder:
#
#	abi	the kernel release, as printed by uname -r
#	Image	the kernel			(arm64 only, not of the oldest)
#	lib/	the driver of SPE, and those of virtio if they are modules (as Image)
#	modules	patterns of the names in lib/
#	kdir	KDIR= for a module build

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

series=${1:?usage: stock.sh SERIES [ARCH]}
arch=${2:-arm64}
flavour='' pages='' oldest=''
case $series in
*-cloud | *-rt) flavour=${series##*-}- ;;
*-16k) pages=-16k ;;
*-oldest) oldest=1 ;;
esac
series=${series%-*}
bootable=1
[ "$arch" = arm64 ] && [ -z "$oldest" ] || bootable=''
suite=''
[ "$series" != newest ] || suite=sid

cache_lock stock
apt_fresh $suite

# Meta packages of a suite's own series have no number.
case $series in
6.1 | newest) meta=linux-headers-$flavour$arch$pages ;;
*) meta=linux-headers-$series-$flavour$arch$pages ;;
esac
if [ -n "$oldest" ]; then
	headers=$(apt-cache pkgnames "linux-headers-$series.0-" | sort -V |
		grep -m 1 -xE "linux-headers-$series\.0-[0-9]+-$arch" || true)
else
	headers=$(depends_of "$meta:$arch" | grep '^linux-headers-' || true)
fi
[ -n "$headers" ] || 
	die "no kernel $series for $arch in Debian's archive: known are 6.1, 6.12, newest"
abi=${headers#linux-headers-}
dir=$CACHE/stock/${abi}_$(version_of "$headers:$arch")

modules=('virtio*' failover net_failover arm_spe_pmu)

# fetch_image - the image and the modules. Since 7.x these are in separate packages, and the
# virtio drivers are built in.
fetch_image() {
	local image=$dir/image packages deb patterns=("${modules[@]/#/*/}")

	rm -rf "$image"
	mapfile -t packages < <(depends_of "linux-image-$abi:$arch" |
		grep -E '^linux-(binary|modules)-' || echo "linux-image-$abi")
	download "$image" "${packages[@]/%/:$arch}"
	for deb in "$image"/*.deb; do
		dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$image" --wildcards \
			'*/vmlinuz*' "${patterns[@]/%/.ko*}" 2>/dev/null || true
	done
	mkdir -p "$dir/lib"
	find "$image" -name '*.ko.xz' -exec xz -d {} +
	find "$image" -name '*.ko' -exec mv -t "$dir/lib" {} +
	mv "$(find "$image" -name 'vmlinuz*')" "$dir/Image"
	rm -rf "$image"
	echo "${modules[*]}" > "$dir/modules"
}

if [ -e "$dir/abi" ]; then
	# a folder from before others of them were needed
	[ -z "$bootable" ] || [ "$(cat "$dir/modules" 2>/dev/null)" = "${modules[*]}" ] ||
		fetch_image
	echo "$dir"
	exit 0
fi

say "fetching Debian's kernel $abi"
rm -rf "$dir"
debs=$dir/debs
hdr=$dir/headers
kdir=$hdr/usr/src/$headers
mkdir -p "$hdr"

# The build tools in linux-kbuild run here, for every target architecture.
mapfile -t common < <(depends_of "$headers:$arch" | grep -E '^linux-(headers|kbuild)-')
download "$debs" "$headers:$arch" "${common[@]/%/:$HOST_ARCH}"

# sid's build tools may need newer libraries than this machine has, and its kernel a newer
# compiler: both are included.
if [ -n "$suite" ]; then
	compiler=$(depends_of "$headers:$arch" | sed -n 's/-for-host$//p')
	say "fetching $compiler"
	apt-get -qq -y --download-only -o Dir::Cache::Archives="$debs/" install \
		"$compiler-${CROSS%-}" "$(printf '%s\n' "${common[@]}" | grep kbuild)" >&2
fi
for deb in "$debs"/*.deb; do
	dpkg-deb -x "$deb" "$hdr"
done
# absolute paths in the headers' makefiles are those of an installed package
sed -i "s#/usr/src/#$hdr/usr/src/#" "$kdir/Makefile"
ln -s "headers/usr/src/$headers" "$dir/kdir"

if [ -n "$suite" ]; then
	sed -i "s#CROSS_COMPILE = $CROSS#CROSS_COMPILE = $hdr/usr/bin/$CROSS#" \
		"$kdir/.kernelvariables"
	echo "PAHOLE = $hdr/usr/bin/pahole" >> "$kdir/.kernelvariables"
	rm -rf "${hdr:?}/usr/share"
	libs=$(dirname "$(find "$hdr/usr/lib" -name libc.so.6)")
	# files with an interpreter are programs
	find "$hdr/usr" -type f -perm -u+x | while read -r program; do
		ld_so=$(patchelf --print-interpreter "$program" 2>/dev/null) || continue
		patchelf --set-interpreter "$hdr/usr$ld_so" --force-rpath \
			--set-rpath "$libs" "$program"
	done
fi

[ -z "$bootable" ] || fetch_image

rm -rf "${dir:?}/debs"
echo "$abi" > "$dir/abi"
echo "$dir"
