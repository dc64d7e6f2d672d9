#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# test.sh FILE_test.sh - the tests of one file, for tap.sh

shared=$(cd "$(dirname "$0")" && pwd)
# shellcheck disable=SC2034 # for the test
here=$(cd "$(dirname "$1")" && pwd)
# modules that tests of several programs use
export PYTHONPATH="$shared"
# shellcheck source=lib.sh
. "$shared/lib.sh"
# shellcheck source=/dev/null
. "$1"
echo "1..$count"
echo "# $((count - failed)) passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
