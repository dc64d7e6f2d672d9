#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# guest.sh PERIOD - for spe_profile.sh, in the emulated machine: records a program's branches and
# then everything on one CPU, with the SPE log of that CPU; then two containers with different
# files of the same path, one of which ran before.

cpu=0
insmod /modules/arm_spe_pmu.ko || exit 1
cd /results || exit 1
/selftests/spe/spe_log clear $cpu
taskset -c $cpu n3stat spe record --user --jitter --period "$1" -o program.data \
	-- /selftests/spe_program > said 2>&1
echo $? > record.rc
/selftests/spe/spe_log raw $cpu > wrote
/selftests/spe/spe_log fates $cpu > fates

# container DIR [ROUNDS] - becomes its program, which sees DIR as /srv
container() { exec unshare -m sh -c "mount --bind $1 /srv && exec /srv/app $2"; }

mkdir -p /srv /tmp/one /tmp/two
cp /selftests/spe_app_one /tmp/one/app
cp /selftests/spe_app_two /tmp/two/app
container /tmp/one &
until grep -q /srv/app /proc/$!/maps; do sleep 0.1; done
n3stat spe record --user --jitter --period 16384 -C $cpu -o containers.data \
	-- unshare -m sh -c 'mount --bind /tmp/two /srv && exec /srv/app 300' > containers.said 2>&1
echo $? > containers.rc
kill $!
exit 0
