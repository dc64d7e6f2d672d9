#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# deb_test.sh - builds the Debian packages, checks their contents, compiles the module from its
# DKMS sources, compares release archives, and runs the maintainer scripts in a chroot, as root or by
# sudo. TAP.

# shellcheck source=../../selftests/qemu/lib.sh
. "$(dirname "$0")/../../selftests/qemu/lib.sh"
this=$(realpath "$0")
cd "$TOP"

debs=$BUILD/deb
version=$(tools/dev/version.sh)
all=(n3-telemetry-dkms n3stat n3stat-tools n3spe n3-exporter)
run=("$this")
tests=0
failed=0

# check NAME FUNCTION - in a process of its own, which any failing command ends; in a condition
# ("if", "||") bash would ignore it
check() {
	local name=$1 said

	tests=$((tests + 1))
	if said=$("${run[@]}" --run "$2" 2>&1); then
		echo "ok $tests - $name"
		return
	fi
	echo "not ok $tests - $name"
	head -n 40 <<< "$said" | sed 's/^/# /'
	failed=$((failed + 1))
}

# deb PACKAGE ARCHITECTURE - its file
deb() {
	case $1 in
	*-dkms) echo "$debs/$1_${version}_all.deb" ;;
	*) echo "$debs/$1_${version}_$2.deb" ;;
	esac
}

# names PACKAGE ARCHITECTURE - files and links, without directories
names() { dpkg-deb -c "$(deb "$@")" | awk '!/^d/ { print $6 }' | sed 's,^\.,,'; }

# unpack ARCHITECTURE - all packages into one tree
unpack() {
	local p

	for p in "${all[@]}"; do
		dpkg-deb -x "$(deb "$p" "$1")" "$tmp/$1"
	done
}

# --- contents

one_version() {
	local p arch

	[ "$(sed -n 's/^## \([^ ]*\) .*/\1/p' CHANGELOG.md | head -n 1)" = "$version" ]
	for p in "${all[@]}"; do
		for arch in amd64 arm64; do
			[ "$(dpkg-deb -f "$(deb "$p" $arch)" Version)" = "$version" ]
		done
	done
	[ "$("$tmp/$HOST_ARCH/usr/bin/n3stat" version)" = "n3stat $version" ]
	grep -qx "PACKAGE_VERSION=\"$version\"" "$tmp/arm64/usr/src/n3-telemetry-$version/dkms.conf"
}

# Packages would have one version, their programs and DKMS another.
other_version() {
	local tree=$tmp/other_version said

	mkdir -p "$tree/drivers/perf/n3_telemetry/libn3t" "$tree/selftests/qemu"
	cp -r tools debian "$tree"
	cp selftests/qemu/lib.sh "$tree/selftests/qemu"
	cp CHANGELOG.md "$tree"
	echo "#define N3T_VERSION \"$version.1\"" > "$tree/drivers/perf/n3_telemetry/libn3t/n3t.h"
	! said=$(BUILD=$tree/build "$tree/tools/dev/deb.sh" 2>&1) || return 1
	[[ $said == *"CHANGELOG.md begins with version $version, but"*"$version.1" ]]
}

in_one_package() {
	local p

	for p in "${all[@]}"; do
		names "$p" arm64
	done | sort | uniq -d | { ! grep .; }
}

same_files() {
	local p

	for p in "${all[@]}"; do
		diff <(names "$p" amd64) <(names "$p" arm64)
	done
}

machine_code() {
	local program

	for program in "$tmp"/arm64/usr/{bin,libexec/n3_telemetry}/n3*; do
		readelf -h "$program" | grep -q 'Machine: *AArch64'
		readelf -l "$program" | grep -q 'interpreter: /lib/ld-linux-aarch64.so.1'
		readelf -h "$tmp/amd64${program#"$tmp/arm64"}" | grep -q 'Machine: .*X86-64'
	done
}

# The small reader needs no other package of its source, and no library but these.
small_reader() {
	dpkg-deb -f "$(deb n3stat arm64)" Depends | tr ',' '\n' |
		{ ! grep -vE '^ ?lib(c6|json-c5) '; }
}

# manual pages and copyright of programs, and no command without its program
companions() {
	local name command

	for name in "$tmp"/arm64/usr/bin/*; do
		[ -e "$tmp/arm64/usr/share/man/man1/${name##*/}.1.gz" ] || echo "no page: $name"
	done
	for command in top record report spe doctor selftest; do
		[ -x "$tmp/arm64/usr/libexec/n3_telemetry/n3stat-$command" ] || echo "no command: $command"
	done
	for name in "${all[@]}"; do
		grep -q 'License: GPL-2' "$tmp/arm64/usr/share/doc/$name/copyright" ||
			echo "no licence: $name"
	done
	grep -q 'Redistribution and use' "$tmp/arm64/usr/share/doc/n3stat/copyright" ||
		echo "no BSD licence"
}

unit_paths() {
	local path

	grep -hoE '^(Exec[A-Za-z]*|ConditionFileIsExecutable)=[^ ]+' \
		"$tmp"/arm64/lib/systemd/system/*.service | cut -d= -f2 | sort -u > "$tmp/paths"
	[ "$(wc -l < "$tmp/paths")" -eq 3 ]
	while read -r path; do
		[ -x "$tmp/arm64$path" ] || { echo "$path"; return 1; }
	done < "$tmp/paths"
}

# The programs and n3stat share formats.
same_version() {
	local p

	for p in n3stat-tools n3spe n3-exporter; do
		dpkg-deb -f "$(deb "$p" arm64)" Depends | grep -qF "n3stat (= $version)"
	done
	dpkg-deb -f "$(deb n3-telemetry-dkms arm64)" Depends | grep -qF "n3stat (>= $version)"
}

# units PACKAGE SCRIPT - those that a maintainer script starts or stops
units() {
	dpkg-deb -I "$(deb "$1" arm64)" "$2" | grep 'deb-systemd-invoke ' |
		grep -oE "n3[a-z-]+\.(service|socket)" | xargs
}

started_units() {
	[ "$(units n3-telemetry-dkms postinst)" = n3-telemetry.service ]
	[ "$(units n3-telemetry-dkms prerm)" = "n3-telemetry-selftest.service n3-telemetry.service" ]
	[ "$(units n3-exporter postinst)" = "n3-exporter.service n3-exporter.socket" ]
	[ "$(units n3-exporter prerm)" = \
		"n3-exporter-textfile.service n3-exporter.service n3-exporter.socket" ]
}

# same_packages - in another folder, by a user with other settings
same_packages() {
	local name

	(umask 077; TZ=Asia/Tokyo BUILD=$tmp/again tools/dev/deb.sh "$HOST_ARCH")
	for name in "$tmp/again/deb"/*.deb; do
		cmp "$name" "$debs/${name##*/}"
	done
}

clean_by_lintian() {
	lintian --fail-on error,warning "$debs"/*_{all,arm64}.deb 2>&1 | { ! grep '^[EWN]:'; }
}

# --- DKMS

# excludes ARCHITECTURE KERNEL - by the expressions of dkms.conf, as dkms has them
excludes() {
	kernelver=$2 arch=$1 bash -c '. "$1"
		[[ ! $2 =~ $BUILD_EXCLUSIVE_ARCH || ! $3 =~ $BUILD_EXCLUSIVE_KERNEL ]]' \
		sh "$tmp/arm64/usr/src/n3-telemetry-$version/dkms.conf" "$1" "$2"
}

exclusions() {
	local kernel

	for kernel in 4.18.0-553.el8.aarch64 5.10.0-30-arm64 5.15.0-1 6.0.0-2-arm64 6.0.12; do
		excludes aarch64 "$kernel"
	done
	excludes x86_64 6.1.0-20-amd64
	for kernel in 6.1.0-9-arm64 6.1.90 6.2.0-1 6.10.3 6.12.117+deb12-arm64 7.0.0 7.2.13+deb14-arm64 \
			9.9.9 10.0.1 16.1.0-1; do
		! excludes aarch64 "$kernel" || return 1
	done
}

# The command of dkms.conf, for Debian's kernel; the path is the same in each checkout, for ccache.
dkms_compiles() {
	local dkms_tree=$CACHE/dkms MAKE=() name
	local kernel_source_dir # for dkms.conf

	# shellcheck disable=SC2034
	kernel_source_dir=$("$QEMU_DIR/stock.sh" 6.1)/kdir
	cache_lock dkms
	name=$dkms_tree/n3-telemetry/$version/build
	rm -rf "$name"
	mkdir -p "$name"
	cp -a "$tmp/arm64/usr/src/n3-telemetry-$version/." "$name"
	set +u # as dkms
	# shellcheck source=/dev/null
	. "$name/dkms.conf"
	${MAKE[0]} -s -j"$JOBS" ARCH=arm64 CROSS_COMPILE=$CROSS DEBIAN_KERNEL_USE_CCACHE=1 \
		CONFIG_DEBUG_INFO_BTF_MODULES= KCFLAGS='-Werror -g0'
	[ "$(cd "$name" && find . -name '*.ko')" = ./drivers/perf/n3_telemetry/n3_telemetry.ko ]
	[ "$(modinfo -F version "$name/drivers/perf/n3_telemetry/n3_telemetry.ko")" = "$version" ]
}

# --- release archive

same_bytes() {
	tools/dev/dist.sh "$tmp/first"
	(umask 077; TZ=Asia/Tokyo LANG=C GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=tar.umask \
		GIT_CONFIG_VALUE_0=user tools/dev/dist.sh "$tmp/second")
	(cd "$tmp/first" && sha256sum ./*.tar.gz) > "$tmp/sums"
	(cd "$tmp/second" && sha256sum -c "$tmp/sums")
	diff <(git ls-tree -r --name-only HEAD | sed "s,^,n3_telemetry-$version/," | sort) \
		<(tar -tf "$tmp/first"/*.tar.gz | grep -v '/$' | sort)
}

# --- image

# Two runs have the same bytes.
image_of_packages() {
	local oci=tools/n3exporter/tests/oci.py

	export SOURCE_DATE_EPOCH=1000000000
	tools/dev/image.sh
	cp "$BUILD/n3-exporter.tar" "$tmp/"
	(umask 077; TZ=Asia/Tokyo tools/dev/image.sh)
	cmp "$BUILD/n3-exporter.tar" "$tmp/n3-exporter.tar"
	"$oci" check "$tmp/n3-exporter.tar" 1000000000 amd64 arm64
	"$oci" unpack "$tmp/n3-exporter.tar" arm64 "$tmp/image"
	cmp "$tmp/image/usr/bin/n3-exporter" "$tmp/arm64/usr/bin/n3-exporter"
}

# --- the chroot

# with_proc DIR COMMAND... - dkms needs /proc; the mount ends with the command
with_proc() {
	unshare -m sh -ec 'mount --rbind /proc "$1/proc"; shift; exec "$@"' sh "$@"
}

in_root() { with_proc "$root" chroot "$root" env PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"; }

may_chroot() { with_proc / chroot / true; }

# everything - names of all files but dpkg's own, and accounts
everything() {
	in_root find / -xdev -path /var/lib/dpkg -prune -o -path /var/log -prune -o \
		-path /var/cache -prune -o -path /tmp -prune -o -path /debs -prune -o -path /proc -prune -o -print |
		grep -v -- '^/etc/\(group\|gshadow\|passwd\|shadow\)-$' | sort
	cat "$root/etc/group" "$root/etc/passwd"
}

# enabled - units, as "UNIT STATE"
enabled() { in_root systemctl list-unit-files --no-legend 'n3*' | awk '{ print $1, $2 }' | sort; }

# updates_kernel RELEASE - runs what the installation of a kernel and of its headers runs
updates_kernel() {
	mkdir -p "$root/lib/modules/$1/build/include"
	in_root run-parts --exit-on-error --arg="$1" /etc/kernel/postinst.d &&
		in_root run-parts --exit-on-error --arg="$1" /etc/kernel/header_postinst.d
}

# installed RELEASE - the module, for this kernel
installed() {
	grep -qx "n3-telemetry/$version, $1, aarch64: installed" <<< "$(in_root dkms status)"
}

# builds_with RELEASE COMMAND - a build tree for this kernel where the command builds modules
builds_with() {
	local tree=$root/lib/modules/$1/build

	mkdir -p "$tree/include"
	echo CONFIG_ARM_PMU=y > "$tree/.config"
	printf 'modules:\n\t%s\nclean modules_prepare:\n' "$2" > "$tree/Makefile"
}

# as_arm64 - programs there see another architecture; dkms has a PATH of its own
as_arm64() {
	mv "$root/usr/bin/uname" "$root/usr/bin/uname.real"
	cat > "$root/usr/bin/uname" <<-'END'
	#!/bin/sh
	[ "$*" != -m ] || { echo aarch64; exit; }
	exec /usr/bin/uname.real "$@"
	END
	chmod +x "$root/usr/bin/uname"
}

as_before() {
	mv "$root/usr/bin/uname.real" "$root/usr/bin/uname"
	rm -r "$root/usr/lib/modules"
}

installs() {
	in_root sh -c 'dpkg -i /debs/*.deb'
	in_root dkms status | grep -qx "n3-telemetry/$version: added"
	[ "$(enabled)" = "n3-exporter-textfile.service disabled
n3-exporter.service static
n3-exporter.socket enabled
n3-telemetry-selftest.service static
n3-telemetry.service enabled" ]
	in_root n3stat top --version
}

# A build that dkms counts as failed fails the installation of the kernel.
updates_kernels() {
	# shellcheck disable=SC2016 # a makefile's variable
	local compiles='gcc -c -x c /dev/null -o $(M)/drivers/perf/n3_telemetry/n3_telemetry.ko' said

	updates_kernel 6.1.0-9-amd64
	as_arm64
	trap as_before EXIT
	# excluded
	updates_kernel 5.10.0-9-arm64
	updates_kernel 6.0.0-2-arm64
	# without a PMU driver
	mkdir -p "$root/lib/modules/6.1.0-8-arm64/build/include"
	echo CONFIG_MODULES=y > "$root/lib/modules/6.1.0-8-arm64/build/.config"
	updates_kernel 6.1.0-8-arm64
	[ "$(in_root dkms status)" = "n3-telemetry/$version: added" ]
	# newer than those tested
	builds_with 99.1.0-1-arm64 false
	said=$(updates_kernel 99.1.0-1-arm64 2>&1)
	[[ $said == *"no module for 99.1.0-1-arm64"* ]]
	[ "$(in_root dkms status)" = "n3-telemetry/$version: added" ]
	# a second version in /usr/src, which is older although its name is later
	cp -a "$root/usr/src/n3-telemetry-$version"{,~rc1}
	sed -i "s/^PACKAGE_VERSION=.*/PACKAGE_VERSION=\"$version~rc1\"/" \
		"$root/usr/src/n3-telemetry-$version~rc1/dkms.conf"
	builds_with 99.2.0-1-arm64 "$compiles"
	updates_kernel 99.2.0-1-arm64
	rm -r "$root/usr/src/n3-telemetry-$version~rc1"
	installed 99.2.0-1-arm64
	# supported
	builds_with 6.1.0-9-arm64 "$compiles"
	updates_kernel 6.1.0-9-arm64
	installed 6.1.0-9-arm64
	builds_with 6.12.0-9-arm64 false
	! updates_kernel 6.12.0-9-arm64 || return 1
	in_root dkms remove "n3-telemetry/$version" --all
	in_root dkms add "n3-telemetry/$version"
}

upgrades() {
	echo 'window_ms = 5000' > "$root/etc/n3-telemetry.conf"
	mkdir -p "$root/var/lib/n3-telemetry"
	touch "$root/var/lib/n3-telemetry/selftest-6.1.0-9-arm64.json"
	in_root systemctl disable n3-exporter.socket
	in_root sh -c 'dpkg -i /debs/next/*.deb'
	kept "$version.1"
	in_root sh -c 'dpkg -i /debs/*.deb'
	kept "$version"
}

# kept VERSION - what an upgrade and a downgrade leave alone, and the DKMS sources
kept() {
	[ "$(cat "$root/etc/n3-telemetry.conf")" = 'window_ms = 5000' ]
	[ -e "$root/var/lib/n3-telemetry/selftest-6.1.0-9-arm64.json" ]
	[ "$(in_root dkms status)" = "n3-telemetry/$1: added" ]
	[ "$(echo "$root"/usr/src/n3-telemetry-*)" = "$root/usr/src/n3-telemetry-$1" ]
	enabled | grep -qx 'n3-exporter.socket disabled'
	enabled | grep -qx 'n3-telemetry.service enabled'
}

removes() {
	in_root dpkg -r "${all[@]}"
	[ -z "$(in_root dkms status)" ]
	[ ! -e "$root/usr/src/n3-telemetry-$version" ]
	[ "$(cat "$root/etc/n3-telemetry.conf")" = 'window_ms = 5000' ]
}

purges() {
	in_root dpkg -P "${all[@]}"
	everything | diff "$tmp/before" -
}

# copies_system - into $root: not every container has an overlay
copies_system() {
	cp -a --reflink=auto "$(tools/dev/chroot.sh)" "$root"
	echo force-unsafe-io > "$root/etc/dpkg/dpkg.cfg.d/no-fsync"
	mkdir -p "$root/debs/next"
	cp "$debs"/*_all.deb "$debs"/*_"$HOST_ARCH".deb "$root/debs/"
	tools/dev/deb_next.sh "$tmp/next" "$debs"/*_all.deb "$debs"/*_"$HOST_ARCH".deb
	cp "$tmp/next"/*.deb "$root/debs/next/"
	everything > "$tmp/before"
}

builds() { tools/dev/deb.sh; }

case ${1:-} in
--run) "$2"; exit ;;
esac
as_root=()
if [ "$(id -u)" -ne 0 ]; then
	as_root=(sudo -n)
fi

tmp=$(mktemp -d)
root=$tmp/root
export tmp root
trap 'rm -rf "$tmp" 2>/dev/null || "${as_root[@]}" rm -rf "$tmp"' EXIT
echo "TAP version 13"
check "packages are built for amd64 and arm64" builds
unpack amd64
unpack arm64
check "one version of all" one_version
check "another version than that of CHANGELOG.md is refused" other_version
check "no file is in two packages" in_one_package
check "packages of both architectures have the same files" same_files
check "programs are of their architecture" machine_code
check "n3stat depends on libc and JSON alone" small_reader
check "manual pages, commands, licences" companions
check "programs of units are in the packages" unit_paths
check "programs and reader are of one version" same_version
check "maintainer scripts start units once, and stop all" started_units
check "lintian finds no errors and no warnings" clean_by_lintian
check "DKMS: excluded kernels" exclusions
check "DKMS: the sources compile, without the simulator" dkms_compiles
check "packages built in another folder are equal" same_packages
check "image of the programs in the packages" image_of_packages
if [ -e .git ]; then
	check "release archives of a commit are equal and have its files" same_bytes
fi
in_chroot=("chroot: there is one" copies_system
	"chroot: installation" installs
	"chroot: kernels without a module can be installed" updates_kernels
	"chroot: upgrade and downgrade keep settings" upgrades
	"chroot: removal leaves the configuration" removes
	"chroot: purge leaves nothing" purges)
run=("${as_root[@]}" env "tmp=$tmp" "root=$root" "BUILD=$BUILD" "N3T_CACHE=$CACHE" "$this")
if "${run[@]}" --run may_chroot; then
	for ((i = 0; i < ${#in_chroot[@]}; i += 2)); do
		check "${in_chroot[i]}" "${in_chroot[i + 1]}"
	done
else
	tests=$((tests + 1))
	echo "ok $tests - maintainer scripts in a chroot # SKIP needs root, chroot and a mounted /proc"
fi
echo "1..$tests"
[ $failed -eq 0 ]
