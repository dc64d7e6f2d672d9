# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# bash completion for n3stat; only needs bash.

_n3stat_commands="tree bottleneck top list explain record report spe doctor selftest help version"

# Words printed instead of numbers.
_n3stat_words="offline disabled unplaced unsupported contended idle stale implausible
	inconsistent undef"

# Commands of spe, and their options other than the common ones.
# global even if bash-completion sources this in a function
declare -gA _n3stat_spe_options=(
	[info]="--root --machine --json"
	[record]="--cpu --pid --period --load --store --branch --min-latency --event-filter
		--inverse-event-filter --kernel --user --jitter --pa --timestamps --seconds
		--duration --aux-size --output --perf-data --quiet"
	[report]="--sort --top --cpu --pid --json --page --symfs --kallsyms --salvage"
	[profile]="--program --output --symfs --salvage"
	[decode]="--salvage"
)

# Options of spe whose argument is neither a name nor a file.
_n3stat_spe_numbers="--event-filter --inverse-event-filter --period --min-latency --seconds --duration --aux-size"

# The command among the words, "spe" with its command, or nothing.
_n3stat_command() {
	local word command=

	for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		if [[ $command == spe && " ${!_n3stat_spe_options[*]} " == *" $word "* ]]; then
			command="spe $word"
			break
		elif [[ $word != -* && -z $command && " $_n3stat_commands " == *" $word "* ]]; then
			command=$word
			[[ $word == spe ]] || break
		fi
	done
	echo "$command"
}

# matches BEFORE START WORDS: words that begin with START, prefixed by BEFORE. compgen -W would
# expand words, and some come from files.
_n3stat_matches() {
	local word words

	IFS=$' \t\n' read -r -d '' -a words <<< "$3"
	for word in "${words[@]}"; do
		[[ $word != "$2"* ]] || COMPREPLY+=("$1$word")
	done
}

# The typed word without the shell's backslashes
_n3stat_unquoted() {
	sed 's/\\\(.\)/\1/g' <<< "$1"
}

_n3stat_options() {
	local common="--help --version"
	local source="--root" places="--cpu --node --per" names="--group --metric"
	local who="--pid --comm --cgroup --proc"

	case $1 in
	tree) echo "$common $source $places $who --json" ;;
	top) echo "$common $source $places $names $who --sort" ;;
	list | bottleneck) echo "$common $source" ;;
	explain | help | version) echo "$common" ;;
	record) echo "$common $source $places $names --output --seconds --proc --quiet" ;;
	report) echo "$common --output --stdio --from --to --diff --place --json" ;;
	doctor) echo "$common $source --machine --json" ;;
	selftest) echo "$common $source --cpu --apply --json --output --input --list" ;;
	spe) echo "$common" ;;
	"spe "*) echo "$common ${_n3stat_spe_options[${1#spe }]}" ;;
	*) echo "$common $source $places $names $who --sort --timestamp --values --errors --json --csv" ;;
	esac
}

# In lower case, as in files and documentation; any case is accepted.
_n3stat_names() {
	local what names

	for what; do
		# events are preceded by their codes
		names=$(n3stat list "$what" 2>/dev/null |
			sed '1d; /^ /d; s/^0x[0-9a-f]*  *//; s/ .*//')
		echo "${names,,}"
	done
}

_n3stat_codes() {
	n3stat list events 2>/dev/null | sed -n 's/^\(0x[0-9a-f]*\) .*/\1/p'
}

# The directory of the places: --root, the module's, or the kernel's.
_n3stat_root() {
	local i root=/sys/kernel/n3_telemetry

	for ((i = 1; i < COMP_CWORD; i++)); do
		[[ ${COMP_WORDS[i]} == -r || ${COMP_WORDS[i]} == --root ]] || continue
		root=${COMP_WORDS[i + 1]}
		[[ $root != = ]] || root=${COMP_WORDS[i + 2]}
	done
	# parsed as by the shell
	echo "${root/#\~/$HOME}"
}

# The numbers of existing CPUs or nodes, and the range from first to last.
_n3stat_numbers() {
	local kind=$1 root directory numbers=()

	root=$(_n3stat_root)
	[[ -d $root ]] || root=/sys/devices/system/$kind
	for directory in "$root/$kind"[0-9]*; do
		[[ ! -d $directory || ! ${directory##*/"$kind"} =~ ^[0-9]+$ ]] ||
			numbers+=("${directory##*/"$kind"}")
	done
	((${#numbers[@]})) || return 0
	mapfile -t numbers < <(printf '%s\n' "${numbers[@]}" | sort -n)
	echo "${numbers[@]}"
	((${#numbers[@]} < 2)) || echo "${numbers[0]}-${numbers[-1]}"
}

# The places in the named recordings, or else the current ones.
_n3stat_places() {
	local word root words=() places=()

	for word in "${COMP_WORDS[@]:1}"; do
		[[ -f $word ]] || continue
		# the header of a recording is text
		read -r -a words < <(head -c 200000 -- "$word" 2>/dev/null | tr -d '\0' |
			LC_ALL=C sed -n 's/^places //p; /^columns /q')
		places+=("${words[@]}")
	done
	if ((!${#places[@]})); then
		root=$(_n3stat_root)
		for word in "$root"/{cpu,node}[0-9]* "$root/system"; do
			[[ ! -d $word ]] || places+=("${word##*/}")
		done
	fi
	for word in "${places[@]}"; do
		[[ ! $word =~ ^((cpu|node)[0-9]+|system)$ ]] || echo "$word"
	done | sort -u
}

# Running processes: their ids or names, one per line.
_n3stat_processes() {
	local stat

	if [[ $1 == --pid ]]; then
		compgen -G "/proc/[0-9]*" | sed 's,/proc/,,'
	else
		for stat in /proc/[0-9]*/comm; do
			cat "$stat" 2>/dev/null
		done | sort -u
	fi
}

# Names with blanks become one word each.
_n3stat_comms() {
	local name start

	start=$(_n3stat_unquoted "$1")
	while IFS= read -r name; do
		[[ $name != "$start"* ]] || COMPREPLY+=("$(printf %q "$name")")
	done < <(_n3stat_processes --comm)
}

# cgroups as in /proc/PID/cgroup, or full paths.
_n3stat_cgroups() {
	local top=${N3STAT_CGROUPS:-/sys/fs/cgroup}/ path start

	[[ $1 != /* ]] || top=
	start=$(_n3stat_unquoted "$1")
	for path in "$top$start"*/; do
		[[ ! -d $path ]] || COMPREPLY+=("$(printf %q "${path#"$top"}")")
	done
	compopt -o nospace 2>/dev/null
}

_n3stat_files() {
	mapfile -t COMPREPLY < <(compgen "$1" -- "$2")
	compopt -o filenames 2>/dev/null
}

# The command after "--", or its arguments.
_n3stat_other_command() {
	local what=-c i

	for ((i = 1; i < COMP_CWORD - 1; i++)); do
		[[ ${COMP_WORDS[i]} != -- ]] || what=-f
	done
	_n3stat_files $what "$1"
}

_n3stat() {
	local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
	local called words columns= before_last=

	COMPREPLY=()
	# readline splits --group=mpki into three words
	if [[ $current == = ]]; then
		current=
	elif [[ $before == = ]]; then
		before=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	called=$(_n3stat_command)
	if [[ ($called == record || $called == "spe record") &&
		" ${COMP_WORDS[*]:1:COMP_CWORD-1} " == *" -- "* ]]; then
		_n3stat_other_command "$current"
		return 0
	fi
	# its keys are no metrics
	[[ $called != "spe report" || $before != -s && $before != --sort ]] || before=--sort-key
	[[ -n $called || $before != -s && $before != --sort ]] || columns="busy ghz gips bottleneck"
	[[ $called != top || $before != -s && $before != --sort ]] || columns="place theirs busy ghz gips bottleneck"
	case $before in
	--sort-key) words="records latency loads mispredicted walks late peer" ;;
	--group | --groups | -g | --metric | -m)
		# a list: its last word is completed
		[[ $current != *,* ]] || before_last=${current%,*},
		current=${current##*,}
		;;&
	--cpu | -C | --node | -N)
		# 0-3,8: the number after the last separator
		[[ $current != *[,-]* ]] || before_last=${current%"${current##*[,-]}"}
		current=${current##*[,-]}
		;;&
	--sort | -s) [[ $current != [+-]* ]] || before_last=${current:0:1} current=${current:1} ;;&
	--group | --groups | -g | --metric | -m | --sort | -s) current=${current,,} ;;&
	--group | --groups | -g) words="$(_n3stat_names groups) all" ;;
	--metric | -m | --sort | -s) words="$(_n3stat_names metrics) $columns" ;;
	--per) words="cpu node system" ;;
	--cpu | -C)
		words=$(_n3stat_numbers cpu)
		# a range cannot start with a range
		[[ $before_last != *- ]] || words=${words%%$'\n'*}
		;;
	--node | -N)
		words=$(_n3stat_numbers node)
		[[ $before_last != *- ]] || words=${words%%$'\n'*}
		;;
	--place) words=$(_n3stat_places) ;;
	--from | --to) return 0 ;;
	--pid | -p)
		# processes, also of spe record and report
		_n3stat_matches "" "$current" "$(_n3stat_processes --pid)"
		return 0
		;;
	--comm) _n3stat_comms "$current"; return 0 ;;
	--cgroup) _n3stat_cgroups "$current"; return 0 ;;
	--*) [[ " $_n3stat_spe_numbers " != *" $before "* ]] || return 0 ;;&
	--root | -r | --machine | --proc) _n3stat_files -d "$current"; return 0 ;;
	--timestamps) words="virtual physical" ;;
	--output | -o | --input | -i) _n3stat_files -f "$current"; return 0 ;;
	*)
		if [[ $current == -* ]]; then
			words=$(_n3stat_options "$called")
		else
			case $called in
			list) words="events metrics groups" ;;
			explain)
				current=${current,,}
				if [[ $current == 0x* ]]; then
					words=$(_n3stat_codes)
				else
					words="$(_n3stat_names metrics groups events) $_n3stat_words"
				fi
				;;
			help)
				words=$_n3stat_commands
				[[ $before != spe ]] || words=${!_n3stat_spe_options[*]}
				;;
			spe) words=${!_n3stat_spe_options[*]} ;;
			report | "spe report" | "spe profile" | "spe decode")
				_n3stat_files -f "$current"
				return 0
				;;
			"") words=$_n3stat_commands ;;
			esac
		fi
		;;
	esac
	_n3stat_matches "$before_last" "$current" "$words"
}

complete -F _n3stat n3stat
