#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# run.sh [NAME...] - tests of the tools on copies of the module's sysfs directory, as TAP:
# those in NAME_test.sh or in the folder NAME, or all. They run on any machine, each in a few
# minutes. A test with the line "# on: test-long" runs if it is named, or with LONG=1.
#
# N3STAT is the program (default: from the PATH), N3STAT_SHORT_READ the same
# with a read() that returns single bytes and is interrupted; N3STAT_PLAIN is the normal
# build; PATH_CASES, SELFTEST_CASES, PACK_RECORDING, LIBRARY, FUZZ and MOMENTS_FUZZ
# are further programs of the Makefile, PROMETHEUS the directory of n3exporter/tests/prometheus.sh,
# SCHEMAS and IMAGE_LIBS those of dev/npm.sh and dev/image_libs.sh.

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 1
tools=$(dirname -- "$here")
[ $# -gt 0 ] || set -- tests n3stat n3top n3rec n3check n3exporter boot
for name; do
	shift
	found=$#
	for test in "$tools/$name"/*_test.sh "$tools/$name"/tests/*_test.sh; do
		[ -e "$test" ] || continue
		[ -n "${LONG:-}" ] || ! grep -qx '# on: test-long' "$test" || continue
		set -- "$@" "$test"
	done
	for test in "$tools"/tests/"$name"_test.sh "$tools"/*/tests/"$name"_test.sh \
		"$tools"/spe/*/tests/"$name"_test.sh; do
		[ ! -e "$test" ] || set -- "$@" "$test"
	done
	[ $# -gt $found ] || [ -d "$tools/$name" ] || { echo "no test $name" >&2; exit 2; }
done
set -- "$here/../dev/tap.sh" 900 "$@"
for name in N3STAT N3STAT_PLAIN N3STAT_SHORT_READ PATH_CASES SELFTEST_CASES PACK_RECORDING FUZZ \
	MOMENTS_FUZZ LIBEXEC ARCHIVES LIBRARY PROMETHEUS SCHEMAS IMAGE_LIBS; do
	eval "value=\${$name:-}"
	# shellcheck disable=SC2154 # eval sets it
	[ -z "$value" ] || set -- "$name=$value" "$@"
done
exec "$here/../dev/plain-env.sh" "$@"
