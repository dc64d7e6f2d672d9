#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# spe_profile.sh PERIOD - for ../spe_profile.sh: a program that is recorded by its branches
# and all the rest on one CPU, and what that CPU's SPE wrote meanwhile by its own log.

cpu=0
insmod /modules/arm_spe_pmu.ko || exit 1
cd /results || exit 1
/selftests/spe_log clear $cpu
taskset -c $cpu n3stat spe record --user --jitter --period "$1" -o program.n3spe \
	-- /selftests/spe_program > said 2>&1
echo $? > record.rc
/selftests/spe_log raw $cpu > wrote
/selftests/spe_log fates $cpu > fates
exit 0
