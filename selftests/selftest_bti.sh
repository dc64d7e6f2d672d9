#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# n3stat selftest in a distribution that builds for BTI: its micro-kernels branch through
# registers in guarded pages.
# on: rotation
# machine: turns

. "$(dirname "$0")/lib.sh"

plan 2

check "the CPU has BTI, so that guarded pages are" grep -qw bti /proc/cpuinfo
check "calls and guesses land where BTI lets them" "$HERE/selftest_bti"
