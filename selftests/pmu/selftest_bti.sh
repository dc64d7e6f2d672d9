#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# n3stat selftest in a distribution that is built for BTI: its micro-kernels branch through
# registers in guarded pages.
# machine: turns

. "$(dirname "$0")/../lib/lib.sh"

plan 2

check "the CPU has BTI" grep -qw bti /proc/cpuinfo
check "calls and mispredicted branches land on BTI landing pads" "$HERE/selftest_bti"
