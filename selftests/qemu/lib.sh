# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034 # used by sourcing scripts
# Shared by the scripts of this folder: locations, errors, and a separate apt. To be
# sourced.

set -euo pipefail
# whatever the caller's: the cache outlives it, and tests run programs as other users
umask 022

TOP=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
QEMU_DIR=$TOP/selftests/qemu
# folders of selftests/ with kselftests
KSELFTESTS=(kernel pmu sim spe)
BUILD=${BUILD:-$TOP/build}
# downloads and kernels outlive a checkout, so they are kept outside of it
CACHE=${N3T_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/n3_telemetry}
# Compiled objects, too: ccache finds those of another checkout. Makefiles put $CCACHE before
# the compiler.
export CCACHE=''
if command -v ccache > /dev/null; then
	CCACHE=ccache
	export CCACHE_DIR=$CACHE/ccache CCACHE_BASEDIR=$TOP CCACHE_NOHASHDIR=1 CCACHE_MAXSIZE=1G
fi
# make's own settings and job slots must not be passed on to the kernel's build
unset MAKEFLAGS MFLAGS MAKELEVEL
JOBS=${JOBS:-$(nproc)}
# plain "make" does not need Debian's tools
HOST_ARCH=$(dpkg --print-architecture 2>/dev/null || true)
CROSS=aarch64-linux-gnu-

# Debian's stock kernels: see stock.sh
STOCK=(6.1 6.12 newest)
# the same for kselftest.sh, which takes several kernels as one word
STOCK_LIST=$(IFS=,; echo "${STOCK[*]}")
# the tests in rotation and their kernels, others each day: see kselftest.sh
export ROTATION=${ROTATION:-$(($(date +%s) / 86400 % (4 * ${#STOCK[@]})))}

mkdir -p "$CACHE"

die() { echo "${0##*/}: $*" >&2; exit 1; }
say() { echo "  ${0##*/}: $*" >&2; }

# lock FILE [FD] - waits for the lock; it is released when this script ends, or FD is
# closed. A long wait is reported, and limited.
lock() {
	local fd=${2:-9}

	eval "exec $fd>\"\$1\""
	! flock -w 5 "$fd" || return 0
	say "waiting for $1, which another run has"
	flock -w 3600 "$fd" || die "$1 is still locked after an hour: see fuser $1"
}

# One script at a time in one part of the cache.
cache_lock() { lock "$CACHE/.lock-$1"; }

# A hash of the contents of the files.
hash_of() { cat "$@" | sha256sum | cut -c1-12; }

# guest_programs [PROGRAM...] - the C programs of the kselftests, such as lib/spin, for the
# emulated machine; all of them by default
guest_programs() {
	local c dir programs=("$@")

	if [ $# -eq 0 ]; then
		for dir in "${KSELFTESTS[@]}" lib; do
			for c in "$TOP/selftests/$dir"/*.c; do
				[ ! -e "$c" ] || programs+=("$dir/$(basename "$c" .c)")
			done
		done
	fi
	for c in "${programs[@]}"; do
		mkdir -p "$BUILD/selftests/${c%/*}"
		"${CROSS}gcc" -O2 -Wall -Werror -static -pthread -I"$TOP/tools" \
			-o "$BUILD/selftests/$c" "$TOP/selftests/$c.c" -lm
	done
}

# Debian packages of another architecture must never be installed on the host (apt would
# remove the compilers), so downloads use a separate apt state for each suite. It uses only
# the Debian archives that the host's apt is configured for.

# apt_sources [SUITE] - the host's suites of Debian, or SUITE from the same archive
apt_sources() {
	apt-get indextargets --format "deb \$(REPO_URI) ${1:-\$(RELEASE)} \$(COMPONENT)" \
		'Created-By: Packages' 'Origin: Debian' ${1:+'Label: Debian'} | sort -u
}

# apt_setup [SUITE] - $APT_DIR with a configuration in it; "source" for the source packages
# of the host's suites
apt_setup() {
	local sources

	APT_DIR=$CACHE/apt${1:+-$1}
	[ ! -s "$APT_DIR/apt.conf" ] || return 0
	if [ "${1:-}" = source ]; then
		sources=$(apt_sources | sed 's/^deb /deb-src /')
	else
		sources=$(apt_sources "$@")
	fi
	[ -n "$sources" ] || die "no Debian archive in the apt sources: run apt-get update"
	mkdir -p "$APT_DIR"/etc/apt/{apt.conf.d,preferences.d,sources.list.d} \
		"$APT_DIR"/var/lib/{dpkg,apt/lists/partial} \
		"$APT_DIR"/var/cache/apt/archives/partial
	: > "$APT_DIR/var/lib/dpkg/status"
	echo "$sources" > "$APT_DIR/etc/apt/sources.list"
	cat > "$APT_DIR/apt.conf" <<-CONF
	Dir "$APT_DIR/";
	Dir::State::status "$APT_DIR/var/lib/dpkg/status";
	Dir::Etc::trusted "/etc/apt/trusted.gpg";
	Dir::Etc::trustedparts "/etc/apt/trusted.gpg.d/";
	APT::Architecture "$HOST_ARCH";
	APT::Architectures { "$HOST_ARCH"; "arm64"; };
	APT::Install-Recommends "false";
	APT::Sandbox::User "$(id -un)";
	Acquire::Languages "none";
	Acquire::Retries "3";
	Acquire::http::Timeout "60";
	Acquire::https::Timeout "60";
	CONF
	# whether an old archive is acceptable is the host's setting: it may be a snapshot
	apt-config dump --format '%F "%v";%n' Acquire::Check-Valid-Until \
		Acquire::Check-Date >> "$APT_DIR/apt.conf"
}

# apt_fresh [SUITE] - package lists for apt_setup, at most a day old. Without a network
# older ones are used.
apt_fresh() {
	lock "$CACHE/.lock-apt${1:+-$1}" 8
	apt_setup "$@"
	export APT_CONFIG=$APT_DIR/apt.conf
	if [ -z "$(find "$APT_DIR/updated" -mmin -1440 2>/dev/null)" ]; then
		say "updating the package lists"
		if apt-get -qq update >&2; then
			touch "$APT_DIR/updated"
		elif [ ! -e "$APT_DIR/updated" ]; then
			die "the package lists cannot be fetched"
		fi
	fi
	exec 8>&-
}

# version_of PACKAGE - its newest version in the archive
version_of() {
	apt-cache policy "$1" | sed -n 's/^ *Candidate: //p'
}

# depends_of PACKAGE - names of its dependencies, one per line
depends_of() {
	apt-cache show --no-all-versions "$1" 2>/dev/null |
		sed -n 's/^Depends: //p' | tr ',' '\n' | awk '{ print $1 }'
}

# download DIR PACKAGE... - the .deb files, not their dependencies
download() {
	local dir=$1

	shift
	mkdir -p "$dir"
	(cd "$dir" && apt-get -qq download "$@") >&2 ||
		die "cannot download $*"
}
