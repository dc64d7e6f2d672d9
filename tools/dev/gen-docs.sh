#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# gen-docs.sh [--check | --pages DIR] - writes Documentation/pictures/tree.svg from the tables of
# the module, and pictures/style.css into each picture. With --check it writes nothing and reports
# pictures that differ, groups and metrics missing in the ABI, and settings whose range or default
# in the ABI differs from the module's. With --pages it writes metrics.rst, events.rst, advice.rst
# and glossary.rst, from the tables of the module and the tools, to DIR.

set -eu

cd "$(dirname "$0")/../.."
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

module=drivers/perf/n3_telemetry
check=${1:-}
rc=0

# made FILE - in $tmp under its name: becomes Documentation/FILE, or is compared with it
made() {
	if [ "$check" != --check ]; then
		cp "$tmp/${1##*/}" "Documentation/$1"
	elif ! cmp -s "$tmp/${1##*/}" "Documentation/$1"; then
		echo "Documentation/$1 is out of date: run tools/dev/gen-docs.sh"
		diff -u "Documentation/$1" "$tmp/${1##*/}" | head -n 20 || true
		rc=1
	fi
}

# styled FILE - a picture, with the style of all
styled() {
	sed -e '/^<style>$/,/^<\/style>$/{//!d' -e '}' \
		-e '/^<style>$/r Documentation/pictures/style.css' "$1"
}

for page in metrics events advice glossary; do
	{
		echo '.. SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause'
		tools/dev/gen_docs.py $page
	} > "$tmp/$page.rst"
done
if [ "$check" = --pages ]; then
	mkdir -p "$2"
	cp "$tmp"/*.rst "$2"
	exit
fi

{
	echo '<!-- SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause -->'
	tools/dev/gen_docs.py tree
} > "$tmp/tree"
styled "$tmp/tree" > "$tmp/tree.svg"
made pictures/tree.svg
for picture in data-path slice sets; do
	styled Documentation/pictures/$picture.svg > "$tmp/$picture.svg"
	made pictures/$picture.svg
done

[ "$check" = --check ] || exit 0

abi=Documentation/ABI/testing/sysfs-kernel-n3_telemetry
for name in $(sed -n 's/^\.\. _\(.*\):$/\1/p' "$tmp/metrics.rst"); do
	grep -qw "$name" $abi || { echo "$abi: $name is missing"; rc=1; }
done

# macro NAME - its number in the module's headers
macro() {
	sed -n "s/^#define $1[[:space:]]*\([0-9]*\)$/\1/p" $module/config.h $module/libn3t/n3t.h \
		$module/libn3t/pace.h |
		grep . || { echo "$module: $1 is not defined as a number" >&2; return 1; }
}

# default_of SETTING - according to modinfo
default_of() {
	sed -n "s/^SETTING($1,.*(default: \([^ )]*\).*/\1/p" $module/settings.c |
		grep . || { echo "$module/settings.c: no default of $1" >&2; return 1; }
}

# expect SETTING TEXT - the ABI's description of the setting must contain it
expect() {
	awk -v file="/sys/kernel/n3_telemetry/$1" '
	$1 == "What:" { found = $2 == file }
	found { for (i = 1; i <= NF; i++) printf "%s ", $i }' $abi > "$tmp/description"
	grep -qF " $2" "$tmp/description" || {
		echo "$abi: $1: the module's are \"$2\", which it does not say"
		rc=1
	}
}

min=$(macro N3T_SLICE_MS_MIN)
max=$(macro N3T_SLICE_MS_MAX)
default=$(macro N3T_SLICE_MS_DEFAULT)
expect slice_ms "$min to $max. Default $default."
max=$(macro N3T_WINDOW_MS_MAX)
default=$(macro N3T_WINDOW_MS_DEFAULT)
expect window_ms "two rotations to $max. Default $default."
max=$(macro N3T_MAX_COUNTERS)
default=$(default_of reserved_counters)
expect reserved_counters "0 to $max. Default $default."
for name in enable groups distrust custom cpus contention replicates switch; do
	default=$(default_of $name)
	expect $name "Default $default."
done
exit $rc
