#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# silicon.sh - tests n3_telemetry on this machine and writes one report: see usage(). Any arm64
# Linux, root, POSIX shell and awk; n3stat and the module are built from this checkout unless they
# are given. Parts whose programs or devices the machine lacks are "not run".
#
# The parts are functions in silicon/, called in the order of run_parts(). Each reports by
# result(); report.sh makes text and JSON of that.

# shellcheck disable=SC2034,SC2154 # shared with the parts
umask 022
export LC_ALL=C TZ=UTC

HERE=$(cd "$(dirname "$0")" && pwd)
TOP=${HERE%/tools/dev}
STATE=${STATE:-/run/n3_silicon.state}
for file in lib report load turns others cost stress; do
	# shellcheck source=/dev/null
	. "$HERE/silicon/$file.sh"
done

usage() {
	cat <<-'END'
	Usage: silicon.sh [OPTION...]
	Test n3_telemetry on this machine, as root, and write a report to attach to an
	issue: DIR/report.txt for people and DIR/report.json with all details, without
	host name and addresses. The machine is left as it was.

	  --core WORD     another core than the Neoverse N3, as the module parameter core
	  --module FILE   an n3_telemetry.ko for this kernel, instead of building it
	  --minutes N     duration without the build, 1 to 1440 (default 20): 10 % are
	                  loads and unloads, 40 % a soak with a competing perf
	  -o DIR          folder of the report (default silicon-report)
	  -h, --help      print this text

	Exit status: 0 nothing fails, which includes a machine without PMU or known core;
	7 something fails (see the report); 1 the tests could not begin; 2 wrong option.
	END
}

die() { echo "silicon.sh: $*" >&2; exit 1; }
wrong_option() { echo "silicon.sh: $*; try: silicon.sh --help" >&2; exit 2; }

parse_options() {
	CORE='' MODULE='' MINUTES=20 OUT=silicon-report
	while [ $# -gt 0 ]; do
		case $1 in
		-h | --help) usage; exit 0 ;;
		--*=*)
			option=$1
			shift
			set -- "${option%%=*}" "${option#*=}" "$@"
			;;
		esac
		case $1 in
		--core | --module | --minutes | -o) [ $# -ge 2 ] || wrong_option "$1 needs a value" ;;
		*) wrong_option "unknown option '$1'" ;;
		esac
		case $1 in
		--core) CORE=$2 ;;
		--module) MODULE=$2 ;;
		--minutes) MINUTES=$2 ;;
		-o) OUT=$2 ;;
		esac
		shift 2
	done
	case $MINUTES in
	'' | *[!0-9]* | 0*) wrong_option "--minutes: a number from 1 to 1440, not '$MINUTES'" ;;
	esac
	[ ${#MINUTES} -le 4 ] && [ "$MINUTES" -le 1440 ] ||
		wrong_option "--minutes: at most 1440, not $MINUTES"
	[ -z "$MODULE" ] || [ -f "$MODULE" ] || wrong_option "--module: no file $MODULE"
}

# begin - the only run, with the rests of a killed one cleaned up
begin() {
	[ "$(id -u)" -eq 0 ] || die "needs root; try: sudo $0"
	waited=''
	if [ -e "$STATE" ]; then
		read -r _ first second < "$STATE"
		! is_alive "$first" "$second" || die "already running as process $first"
		echo "silicon.sh: cleaning up after a run that was killed" >&2
		work=$(mktemp -d)
		clean_up || exit 1
		rm -rf "$work"
	fi
	! is_loaded || die "n3_telemetry is loaded; try: rmmod n3_telemetry"
	mkdir -p "$OUT" || die "cannot write to $OUT"
	OUT=$(cd "$OUT" && pwd)
	work=$(mktemp -d) || exit 1
	: > "$work/results"
	: > "$STATE"
	undo "main $$ $(started_at $$)"
	undo "work $work"
	trap 'finish "interrupted"' EXIT
	trap 'exit 130' INT TERM HUP
	log_begin=$(log_end)
	traces > "$work/traces"
	were_online=$(online)
	nr_cpus=$(online | wc -l)
}

# finish REASON - restores the machine and writes the report; parts without results have not run
finish() {
	status=$?
	trap - EXIT
	trap '' INT TERM HUP
	stop ${waited:-}
	keep_status
	if ! clean_up_but_work; then
		part=restore
		result module fail '' '' "cannot unload: $(cat "$work/said")"
	fi
	for part in $PARTS; do
		grep -q "^$part	" "$work/results" || result "$part" not_run '' '' "$1"
	done
	write_report
	[ -z "${SUDO_UID:-}" ] || chown -R "$SUDO_UID:$SUDO_GID" "$OUT"
	[ $status -ne 0 ] || ! grep -q '	fail	' "$work/results" || status=7
	rm -rf "$work"
	exit $status
}

# clean_up_but_work - the report is made of that folder
clean_up_but_work() {
	sed -i '/^work /d' "$STATE"
	clean_up
}

# within_time PART SHARE LEAST - the part begins now and has SHARE percent of the time, $part_ms,
# unless less than LEAST ms are left until $limit_ms
within_time() {
	part=$1
	now
	part_ms=$((total_ms * $2 / 100))
	left=$((limit_ms - elapsed_ms))
	[ "$part_ms" -le "$left" ] || part_ms=$left
	if [ "$part_ms" -lt "$3" ]; then
		say "$part: not run, no time left"
		result "$part" not_run '' '' "no time left; try a larger --minutes"
		return 1
	fi
	say "$part"
}

PARTS='build load_in_place load_auto selftest turns same_time coherence others cost irqs_off
	idle hotplug loads soak log'

# run_parts - the first half of the time is for all but loads and the soak
run_parts() {
	build || return 1
	now
	begun=$now_ms
	limit_ms=$((total_ms / 2))
	load_in_place || return 1
	load_auto || return 1
	selftest
	turns
	same_time
	coherence
	others
	cost
	part=irqs_off
	irqs_off
	idle
	hotplug
	limit_ms=$((total_ms * 6 / 10))
	loads
	limit_ms=$total_ms
	soak
	log_of_kernel
	return 0
}

parse_options "$@"
total_ms=$((MINUTES * 60000)) begun=0 part=build spinner=''
now
begun=$now_ms
begin
ended='an earlier part failed'
run_parts
status=$?
say "done"
trap - EXIT
[ -z "$no_core" ] || status=0
(exit $status)
finish "$ended"
