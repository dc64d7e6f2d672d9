#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# dist.sh [DIR] - writes the last commit as a release archive into DIR (build/): the same bytes
# for the same commit

# shellcheck source=../../selftests/qemu/lib.sh
. "$(dirname "$0")/../../selftests/qemu/lib.sh"

dir=$(realpath "${1:-$BUILD}")
cd "$TOP"
header=drivers/perf/n3_telemetry/libn3t/n3t.h
name=n3_telemetry-$(git show "HEAD:$header" | tools/dev/version.sh /dev/stdin)
[ -z "$(git status --porcelain)" ] || say "uncommitted changes are left out"
mkdir -p "$dir"
# no setting of the user, no name and no time in the header of gzip
GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null \
	git -c tar.umask=0022 -c core.autocrlf=false archive --format=tar --prefix="$name/" HEAD | gzip -n -9 > "$dir/$name.tar.gz"
say "$dir/$name.tar.gz: $(sha256sum < "$dir/$name.tar.gz" | cut -d' ' -f1)"
