# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# Tasks in cgroups, and the counts sampled there. To be sourced after lib.sh, whose cleanup()
# must call leave_cgroups.

SAMPLED=$N3T/system/containers
RECORD=256
FOREVER=1000000000

grep -qw cgroup2 /proc/filesystems || skip_all "no cgroup2"
# the tree of the test
TREE=$tmp/cgroup

# mount_cgroups NAME... - the hierarchy, with these cgroups
mount_cgroups() {
	mkdir "$TREE" && mount -t cgroup2 cgroup2 "$TREE" || bail "no cgroup2 can be mounted"
	for name; do
		mkdir "$TREE/$name" || bail "no cgroup can be made"
	done
}

# in_cgroup NAME COMMAND... - starts it there, in $!
in_cgroup() {
	# shellcheck disable=SC2016 # expanded by that shell
	sh -c 'echo $$ > "$0/cgroup.procs" && exec "$@"' "$TREE/$@" > /dev/null 2>&1 &
}

# switching NAME [OPTION]... - starts two tasks there that wait for each other over a pipe
switching() {
	name=$1
	shift
	in_cgroup "$name" perf bench sched pipe -l $FOREVER "$@"
}

# pairs_of_cpus - two tasks on each CPU that wait for each other, in cgroups cpuN
pairs_of_cpus() {
	pairs=''
	for cpu in $(online); do
		mkdir "$TREE/cpu$cpu"
		in_cgroup "cpu$cpu" taskset -c "$cpu" perf bench sched pipe -l $FOREVER
		pairs=$pairs,$!
	done
	pairs=${pairs#,}
}

# pairs_have_pieces LEAST - waits until those of each CPU have this number
pairs_have_pieces() {
	for cpu in $(online); do
		wait_until has_pieces "$(id_of "cpu$cpu")" "$1" || return 1
	done
}

# pairs_have_rates - whether the counts of each, in its cycles, are those of lib/n3.sh
pairs_have_rates() {
	wrong=0
	for cpu in $(online); do
		sampled "$(id_of "cpu$cpu")" 0 | awk -v cpu="$cpu" '
		FNR == NR { rate[$1] = $2; next }
		{
			nr = split("STALL_SLOT STALL_SLOT_FRONTEND STALL_SLOT_BACKEND - " \
				   "OP_RETIRED OP_SPEC", event, " ")
			for (i = 1; i <= nr; i++) {
				if (event[i] == "-")
					continue
				off = $(5 + i) * rate["CPU_CYCLES"] / ($5 * rate[event[i]]) - 1
				if (off * off > 0.01 * 0.01 && ++wrong)
					print "CPU", cpu, event[i], "is off by", 100 * off, "%"
			}
			seen = 1
		}
		END { exit !seen || wrong }' "$tmp/rates.$cpu" - || wrong=1
	done
	return $wrong
}

# id_of NAME - of a cgroup: the inode of its directory
id_of() { stat -c %i "$TREE/$1"; }

# sampled ID COLUMN - of the record of this cgroup: see the ABI
sampled() {
	tail -n +2 "$SAMPLED" | awk -v id="$1" -v column="$2" '$1 == id { print $column }'
}

# has_pieces ID LEAST - whether a cgroup has at least this number of pieces
has_pieces() {
	pieces=$(sampled "$1" 3)
	echo "$1: ${pieces:-none}"
	[ "${pieces:-0}" -ge "$2" ]
}

# more_pieces ID - whether it gets another one
more_pieces() {
	pieces=$(sampled "$1" 3)
	wait_until has_pieces "$1" $((${pieces:-0} + 1))
}

# containers_are WORD [CPU]... - whether the CPUs' status has it, of all online CPUs by default
containers_are() {
	expected=$1
	shift
	# shellcheck disable=SC2046 # one argument a CPU
	[ $# -gt 0 ] || set -- $(online)
	for cpu; do
		said=$(word "$N3T/cpu$cpu/status" containers)
		echo "cpu$cpu: $said"
		[ "$said" = "$expected" ] || return 1
	done
}

# leave_cgroups - ends all tasks of the test's cgroups and removes these
leave_cgroups() {
	[ -e "$TREE/cgroup.procs" ] || return 0
	echo $$ > "$TREE/cgroup.procs"
	find "$TREE" -mindepth 1 -depth -type d > "$tmp/cgroups"
	while read -r dir; do
		while read -r pid; do
			kill -KILL "$pid"
		done < "$dir/cgroup.procs"
	done < "$tmp/cgroups" 2> /dev/null
	while read -r dir; do
		wait_until rmdir "$dir" 2> /dev/null
	done < "$tmp/cgroups"
	umount "$TREE"
	rmdir "$TREE"
}
