#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# run.sh [NAME...] - tests of n3stat on copies of the module's sysfs directory, as
# TAP: those in NAME_test.sh, or all. They run on any machine.
#
# N3STAT is the program (default: from the PATH), N3STAT_SHORT_READ the same
# one built so that read() gives single bytes and is interrupted; PATH_CASES,
# SELFTEST_CASES, PACK_RECORDING and FUZZ are more programs of the Makefile.

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=lib.sh
. "$here/lib.sh"

[ $# -gt 0 ] || set -- stat program who module estimate tree list record recording diff page path \
	top doctor doctor_odd baseline watch selftest selftest_kernels spe_info spe_record spe_report docs fuzz
echo "TAP version 13"
for name; do
	# shellcheck source=/dev/null
	. "$here/${name}_test.sh"
done
echo "1..$count"
echo "# $((count - failed)) passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
