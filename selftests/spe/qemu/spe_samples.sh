#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# spe_samples.sh [compare|write] - compares the output of commands in tools/spe/spe.rst with that
# of the last run of spe_profile.sh, or writes it there: see samples.py.

# shellcheck source=../../qemu/lib.sh
. "$(dirname "$0")/../../qemu/lib.sh"

cd "$BUILD/spe_profile/results"
ln -sfn ../root root
export PATH=$BUILD/tools:$PATH COLUMNS=80

# shown COMMAND - without warnings of the guest's libraries, which are not here
shown() {
	printf '# %s\n' "$1"
	$1 2>&1 | grep -v '\[binary_unreadable\]$'
}

{
	echo '# n3stat spe record --user --jitter --period 2048 -o program.data -- /selftests/spe_program'
	sed -n '/^n3stat/,$p' said
	shown "n3stat spe report --list functions,lines --lines 3 --symfs root program.data"
	shown "n3stat spe profile --symfs root -o program.profile program.data"
	echo '# perf2bolt spe_program -p program.profile -pa -o fdata'
	cat ../perf2bolt
} > samples
"$QEMU_DIR/samples.py" "${1:-compare}" samples "$TOP/tools/spe/spe.rst"
