#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# install_image.sh RELEASE - an arm64 system of Debian 12 (bookworm) or 13 (trixie) with the
# compiler, dkms and the headers of its kernel, made by mmdebstrap. Needs root. It is kept in the
# cache for the versions of its packages. Prints the folder:
#
#	disk		the system, a raw ext4 file system; nothing writes to it
#	debs/		packages that the tests install later, with dependencies
#	boot/ABI/	Image and initrd of each kernel
#	kernels		ABI of the release's kernel, then of the one that it is upgraded to
#
# Programs of the system run in qemu-user. On Linux before 6.7 it has to be registered as the
# interpreter of arm64 programs, as systemd does; later a namespace has a list of its own.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

release=${1:?usage: install_image.sh RELEASE}
[ "$(id -u)" -eq 0 ] || die "needs root"

system=(systemd-sysv udev dbus kmod procps dkms linux-headers-arm64 busybox-static)
# of n3stat and the others
later=(libdw1 libelf1 libncursesw6 liblzma5 zlib1g libmicrohttpd12 libgnutls30 libyaml-0-2
	libjson-c5)
case $release in
bookworm)
	apt_suite=''
	kernels=(linux-image-arm64 linux-image-6.12-arm64)
	later+=(linux-image-6.12-arm64 linux-headers-6.12-arm64)
	;;
trixie)
	apt_suite=trixie
	kernels=(linux-image-arm64)
	later=("${later[@]/libmicrohttpd12/libmicrohttpd12t64}")
	later=("${later[@]/libdw1/libdw1t64}")
	later=("${later[@]/libelf1/libelf1t64}")
	later=("${later[@]/libgnutls30/libgnutls30t64}")
	;;
*) die "unknown release $release" ;;
esac

cache_lock "install-$release"
# shellcheck disable=SC2086 # no argument if empty
apt_fresh $apt_suite
arm64=(-o APT::Architecture=arm64 -o APT::Architectures=arm64)
versions() {
	local package

	for package in "${system[@]}" "${later[@]}" base-files "${kernels[@]}"; do
		apt-cache "${arm64[@]}" policy "$package" | grep Candidate
	done
}
key=$(versions | cat - "$0" | sha256sum | cut -c1-12)
dir=$CACHE/install/$release-$key
if [ -e "$dir/kernels" ]; then
	echo "$dir"
	exit 0
fi
say "installing Debian $release for arm64 into $dir (some minutes, once)"
rm -rf "$CACHE/install/$release"-*
mkdir -p "$dir/debs"
root=$dir/root

# The kernel demands an initramfs-tools, whose initrd takes half an hour to make here; QEMU is
# given one made below.
no_initramfs() {
	local pkg=$dir/no-initramfs

	mkdir -p "$pkg/DEBIAN"
	cat > "$pkg/DEBIAN/control" <<-CONTROL
	Package: no-initramfs
	Version: 1
	Architecture: all
	Maintainer: nobody <nobody@localhost>
	Provides: linux-initramfs-tool
	Description: none
	CONTROL
	dpkg-deb --root-owner-group -b "$pkg" "$dir/no-initramfs.deb" > /dev/null
	rm -r "$pkg"
}

# in_namespaces COMMAND... - as root of a user namespace, which has all users
in_namespaces() {
	local ours pid in out

	ours=$(readlink /proc/self/ns/user)
	coproc NS {
		# shellcheck disable=SC2016 # for the inner shell
		exec unshare --user --mount bash -c 'read -r _; exec "$@" </dev/null' bash "$@"
	}
	pid=$NS_PID in=${NS[1]}
	exec {out}<&"${NS[0]}"
	while [ "$(readlink "/proc/$pid/ns/user")" = "$ours" ]; do
		sleep 0.1
	done
	echo '0 0 65536' > "/proc/$pid/uid_map"
	echo '0 0 65536' > "/proc/$pid/gid_map"
	echo >&"$in"
	cat <&"$out"
	wait "$pid"
}

# bootstrap - in the namespaces
bootstrap() {
	if [ ! -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ]; then
		mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
		cat /usr/lib/binfmt.d/qemu-aarch64.conf > /proc/sys/fs/binfmt_misc/register
	fi
	mmdebstrap --quiet --mode=root --skip=output/mknod --arch=arm64 --variant=apt \
		--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr \
		--aptopt='APT::Install-Recommends "false"' --dpkgopt=force-unsafe-io \
		--essential-hook="cp '$dir/no-initramfs.deb' \"\$1/\"" \
		--essential-hook='chroot "$1" dpkg -i /no-initramfs.deb && rm "$1/no-initramfs.deb"' \
		--include="$include" "$release" "$root" - <<< "$sources"
}

# settings of the system: no login prompts, the tests' unit, see install.sh
configure() {
	local unit

	echo n3 > "$root/etc/hostname"
	printf '%s\n' '/dev/vda / ext4 defaults 0 0' '/dev/vdb /media/n3t ext4 ro 0 0' > "$root/etc/fstab"
	cp "$QEMU_DIR/guest/n3t-install.service" "$root/etc/systemd/system/"
	mkdir -p "$root/etc/systemd/system/multi-user.target.wants" "$root/media/n3t"
	ln -s /etc/systemd/system/n3t-install.service "$root/etc/systemd/system/multi-user.target.wants/"
	# without a network, these would wait, or act by time of day
	for unit in serial-getty@ttyAMA0.service getty@tty1.service apt-daily.timer \
		apt-daily-upgrade.timer man-db.timer systemd-networkd-wait-online.service; do
		ln -sf /dev/null "$root/etc/systemd/system/$unit"
	done
	rm -f "$root"/etc/apt/sources.list "$root"/etc/apt/sources.list.d/*
	echo 'deb [trusted=yes] file:/media/n3t/repo ./' > "$root/etc/apt/sources.list"
}

# fetch_later - what the system does not have of the packages and their dependencies
fetch_later() {
	apt-get -qq -y --download-only "${arm64[@]}" -o Dir::State::status="$root/var/lib/dpkg/status" \
		-o Dir::Cache::Archives="$dir/debs/" install "${later[@]}" >&2
	rm -rf "$dir/debs/"{partial,lock}
}

# make_initrd ABI TREE - in boot/ABI; loads what mounts the disk. TREE has /boot and /lib/modules.
make_initrd() {
	local abi=$1 tree=$2 work=$dir/work module

	mkdir -p "$work"/{bin,dev,disk,modules,proc} "$dir/boot/$abi"
	cp "$tree/boot/vmlinuz-$abi" "$dir/boot/$abi/Image"
	depmod -b "$tree" "$abi"
	modprobe -d "$tree" -S "$abi" --show-depends -a virtio_pci virtio_blk ext4 crc32c_generic |
		sed -n 's/^insmod \([^ ]*\).*/\1/p' | awk '!seen[$1]++' | while read -r module; do
		cp "$module" "$work/modules/"
		module=${module##*/}
		xz -d "$work/modules/$module" 2>/dev/null || true
		echo "insmod /modules/${module%.xz}"
	done > "$work/insmods"
	cp "$root/usr/bin/busybox" "$work/bin/"
	{
		cat <<-'INIT'
		#!/bin/busybox sh
		/bin/busybox --install -s /bin
		mount -t devtmpfs devtmpfs /dev
		INIT
		cat "$work/insmods"
		cat <<-'INIT'
		until [ -b /dev/vda ]; do sleep 0.1; done
		mount -t ext4 /dev/vda /disk
		mount -o move /dev /disk/dev
		exec switch_root /disk /sbin/init
		INIT
	} > "$work/init"
	chmod +x "$work/init"
	(cd "$work" && find . | cpio -o -H newc -R 0:0 --quiet) > "$dir/boot/$abi/initrd"
	rm -rf "$work"
}

sources=$(cat "$APT_DIR/etc/apt/sources.list")
include=$(IFS=,; echo "${system[*]},linux-image-arm64")
export release dir root sources include
export -f bootstrap
unset APT_CONFIG
no_initramfs
in_namespaces bash -e -c bootstrap > "$dir/log" 2>&1 || {
	tail -n 20 "$dir/log" >&2
	die "the system cannot be installed: see $dir/log"
}
configure
export APT_CONFIG=$APT_DIR/apt.conf
fetch_later
for package in "${kernels[@]}"; do
	abi=$(depends_of "$package:arm64" | sed -n 's/^linux-image-//p')
	tree=$root
	if [ ! -e "$root/boot/vmlinuz-$abi" ]; then
		tree=$dir/tree
		dpkg-deb -x "$dir"/debs/linux-image-"$abi"_*.deb "$tree"
	fi
	make_initrd "$abi" "$tree"
	rm -rf "$dir/tree"
	echo "$abi" >> "$dir/kernels.new"
done
# sparse, and the largest that a build for two kernels was seen to need
truncate -s 4G "$dir/disk"
mke2fs -q -t ext4 -d "$root" "$dir/disk"
rm -rf "$root" "$dir/no-initramfs.deb"
mv "$dir/kernels.new" "$dir/kernels"
echo "$dir"
