#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# gen-docs.sh [--check] - writes Documentation/metrics.rst and events.rst from the
# tables of the module. With --check it writes nothing and says which of them is
# not what the tables give, and which group or metric the ABI does not know.

set -eu

cd "$(dirname "$0")/../.."
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

module=drivers/perf/n3_telemetry
"${CC:-cc}" -std=gnu11 -Wall -Wextra -Werror -o "$tmp/gen_docs" \
	-I selftests/user/include -I $module -I tools/dev -I tools/n3stat tools/dev/gen_docs.c \
	$module/spec.c $module/formula.c $module/fixed.c

rc=0
for page in metrics events; do
	file=Documentation/$page.rst
	{
		echo '.. SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause'
		"$tmp/gen_docs" $page
	} > "$tmp/$page.rst"
	if [ "${1:-}" != --check ]; then
		mkdir -p Documentation
		cp "$tmp/$page.rst" $file
	elif ! cmp -s "$tmp/$page.rst" $file; then
		echo "$file is not what the tables give: run tools/dev/gen-docs.sh"
		diff -u $file "$tmp/$page.rst" | head -n 20 || true
		rc=1
	fi
done

abi=Documentation/ABI/testing/sysfs-kernel-n3_telemetry
if [ "${1:-}" = --check ]; then
	for name in $(sed -n 's/^\.\. _\(.*\):$/\1/p' "$tmp/metrics.rst"); do
		grep -qw "$name" $abi || { echo "$abi: $name is missing"; rc=1; }
	done
fi
exit $rc
