#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# image.sh - builds build/n3-exporter.tar, an OCI archive for arm64 and this machine's architecture,
# with the program of the Debian packages in build/deb

# shellcheck source=../../selftests/qemu/lib.sh
. "$(dirname "$0")/../../selftests/qemu/lib.sh"
cd "$TOP"

out=$BUILD/n3-exporter.tar
tools/dev/install-deps.sh python3 >&2
libraries=$(tools/dev/image_libs.sh)
programs=()
for dir in "$libraries"/*/; do
	arch=$(basename "$dir")
	mkdir -p "$BUILD/image/$arch"
	dpkg-deb -x "$BUILD"/deb/n3-exporter_*_"$arch".deb "$BUILD/image/$arch"
	programs+=("$arch=$BUILD/image/$arch/usr/bin/n3-exporter")
done
tools/dev/image.py "$out" "$libraries" "${programs[@]}"
say "${out#"$TOP/"}: $(sha256sum < "$out" | cut -d' ' -f1)"
