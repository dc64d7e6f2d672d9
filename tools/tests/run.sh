#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# run.sh [NAME...] - tests of n3stat on copies of the module's sysfs directory, as
# TAP: those in NAME_test.sh, or all. They run on any machine, each in a few minutes.
#
# N3STAT is the program (default: from the PATH), N3STAT_SHORT_READ the same
# with a read() that returns single bytes and is interrupted; N3STAT_PLAIN is the normal
# build; PATH_CASES, SELFTEST_CASES, PACK_RECORDING, OUT_OF_MEMORY, LIBRARY and FUZZ are further
# programs of the Makefile, PROMETHEUS the directory of n3exporter/tests/prometheus.sh.

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 1
[ $# -gt 0 ] || set -- stat interval program options who module estimate tree list record record_command recording diff diff_chance report_table page path \
	top top_columns doctor doctor_odd baseline watch selftest selftest_kernels spe_info spe_record spe_report \
	signals streams exporter rules deploy privilege environment docs programs library fuzz
for name; do
	shift
	for test in "$here" "$here"/../*/tests; do
		[ ! -e "$test/${name}_test.sh" ] || set -- "$@" "$test/${name}_test.sh"
	done
done
set -- "$here/../dev/tap.sh" 900 "$@"
for name in N3STAT N3STAT_PLAIN N3STAT_SHORT_READ PATH_CASES SELFTEST_CASES PACK_RECORDING FUZZ LIBEXEC ARCHIVES OUT_OF_MEMORY \
	LIBRARY PROMETHEUS; do
	eval "value=\${$name:-}"
	# shellcheck disable=SC2154 # eval sets it
	[ -z "$value" ] || set -- "$name=$value" "$@"
done
exec "$here/../dev/plain-env.sh" "$@"
