#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# edited.sh 6.1.0 - headers of Debian's stock kernel without later stable changes, as far as the
# modules use them: equivalent to the original release, which no archive keeps. A compile check
# only. Prints KDIR= for a module build.

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

release=${1:?usage: edited.sh 6.1.0}

[ "$release" = 6.1.0 ] || die "unknown release $release"
# names that it lacks, as words in any header; files that it lacks
absent=(timer_delete_sync)
absent_files=(include/kunit/visibility.h)

stock=$("$QEMU_DIR/stock.sh" "${release%.0}")
dir=$stock/$release-$(hash_of "$0")
cache_lock "${dir##*/}"
if [ -e "$dir/kdir" ]; then
	echo "$dir/kdir"
	exit 0
fi

kdir=$(realpath "$stock/kdir")
common=$(sed -n 's,^include \(.*\)/Makefile$,\1,p' "$kdir/Makefile")
rm -rf "$stock/$release"-*
mkdir -p "$dir"
cp -rs "$common" "$dir/common"
cp -rs "$kdir" "$dir/kdir.new"
rm "$dir/kdir.new/Makefile"
sed "s#$common#$dir/common#" "$kdir/Makefile" > "$dir/kdir.new/Makefile"

# hide NAME - renames it in all headers, and among the symbols of the kernel
hide() {
	local file

	while read -r file; do
		[ ! -L "$file" ] || cp --remove-destination "$(realpath "$file")" "$file"
		sed -i "s/\\b$1\\b/absent_$1/g" "$file"
	done < <(grep -RlwF "$1" "$dir/common/include" "$dir/kdir.new/Module.symvers")
}
for name in "${absent[@]}"; do
	hide "$name"
done
for file in "${absent_files[@]}"; do
	rm "$dir/common/$file"
done
mv "$dir/kdir.new" "$dir/kdir"
echo "$dir/kdir"
