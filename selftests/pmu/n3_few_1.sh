#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# n3_few.sh with another number of counters.
# machine: n3-turns-1
# on: test-long
# timeout: 300

# shellcheck disable=SC2034 # for that test
COUNTERS=1
. "$(dirname "$0")/n3_few.sh"
