# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# Random choices, the same for each SEED. To be sourced after lib.sh.

all=$(online)
# shellcheck disable=SC2086 # one argument a CPU
nr_cpus=$(set -- $all; echo $#)

# random BELOW - from SEED on
state=$((SEED % 2147483647))
random() {
	state=$(((state * 1103515245 + 12345) % 2147483648))
	result=$((state / 65536 % $1))
}

# one_of WORD... - into $word, as some have spaces in them
one_of() {
	random $#
	shift $result
	word=$1
}

# flip - takes a random CPU online or offline, but never the last one offline
flip() {
	random "$nr_cpus"
	file=$CPU_DEVICES/cpu$result/online
	[ -e "$file" ] || return 1
	read -r is < "$file"
	if [ "$is" = 0 ]; then
		echo 1 > "$file"
	elif [ "$(online | wc -l)" -gt 1 ]; then
		echo 0 > "$file"
	else
		return 1
	fi
}
