# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# bash completion for n3stat, n3top, n3spe and n3-exporter, which n3stat.zsh and n3stat.fish ask
# as well; needs bash, sed and awk.

_n3stat_commands="tree find bottleneck containers top list explain record report spe doctor selftest help version"
_n3stat_spe_commands="info record report profile"

# Words printed instead of numbers.
_n3stat_words="offline disabled unplaced unsupported contended idle stale implausible
	inconsistent undef"

# Options whose argument is neither a name nor a file.
_n3stat_numbers_of="--event-filter --inverse-event-filter --period --min-latency --seconds --duration
	--aux-size --from --to --listen --web.listen-address
	--interval --max-series"

# The command among the words, "spe" with its command, or nothing.
_n3stat_command() {
	local word command=

	if [[ ${COMP_WORDS[0]##*/} == n3-exporter ]]; then
		echo n3-exporter
		return
	fi
	for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		if [[ $command == spe && " $_n3stat_spe_commands " == *" $word "* ]]; then
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

# As the shell reads and writes a word
_n3stat_unquoted() {
	sed 's/\\\(.\)/\1/g' <<< "$1"
}
_n3stat_quoted() {
	printf %q "$1"
}

# The options of a command, each with a tab and its description.
_n3stat_options() {
	local called

	read -r -a called <<< "$1"
	[[ $1 == n3-exporter ]] || called=(n3stat "${called[@]}")
	"${called[@]}" --help 2>/dev/null | awk -F '  +' '
		function end(i) {
			for (i = 1; i <= nr; i++) {
				sub(/[=[].*/, "", names[i])
				if (names[i] ~ /^--/)
					print names[i] "\t" text
			}
			nr = 0
		}
		/^ +-/ { end(); nr = split($2, names, ", "); text = $3; next }
		nr && /^          / { text = text (text ? " " : "") $2; next }
		{ end() }
		END { end() }'
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
		[[ $name != "$start"* ]] || COMPREPLY+=("$(_n3stat_quoted "$name")")
	done < <(_n3stat_processes --comm)
}

# cgroups as in /proc/PID/cgroup, or full paths.
_n3stat_cgroups() {
	local top=${N3STAT_CGROUPS:-/sys/fs/cgroup}/ path start

	[[ $1 != /* ]] || top=
	start=$(_n3stat_unquoted "$1")
	for path in "$top$start"*/; do
		[[ ! -d $path ]] || COMPREPLY+=("$(_n3stat_quoted "${path#"$top"}")")
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
	local called words program="" columns="" before_last=""

	COMPREPLY=()
	case ${COMP_WORDS[0]##*/} in
	n3top) program=top ;;
	n3spe) program=spe ;;
	esac
	[[ -z $program ]] ||
		COMP_WORDS=(n3stat "$program" "${COMP_WORDS[@]:1}") COMP_CWORD=$((COMP_CWORD + 1))
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
	[[ -n $called || $before != -s && $before != --sort ]] || columns="busy ghz gips answer"
	[[ $called != top || $before != -s && $before != --sort ]] || columns="place theirs busy ghz gips answer"
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
	--per)
		words="cpu node system"
		[[ $called != n3-exporter ]] || words="cpu numa_node system"
		;;
	--color) words="auto always never" ;;
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
	--pid | -p)
		# processes, also of spe record and report
		_n3stat_matches "" "$current" "$(_n3stat_processes --pid)"
		return 0
		;;
	--comm) _n3stat_comms "$current"; return 0 ;;
	--cgroup) _n3stat_cgroups "$current"; return 0 ;;
	--*) [[ " ${_n3stat_numbers_of//[[:space:]]/ } " != *" $before "* ]] || return 0 ;;&
	--root | -r | --machine | --proc | --source | --cgroups) _n3stat_files -d "$current"; return 0 ;;
	--output | -o | --input | -i | --page | --symfs | --kallsyms | --program | --textfile | --web.config.file) _n3stat_files -f "$current"; return 0 ;;
	*)
		if [[ $current == -* ]]; then
			words=$(_n3stat_options "$called" | cut -f 1)
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
				[[ $before != spe ]] || words=$_n3stat_spe_commands
				;;
			spe) words=$_n3stat_spe_commands ;;
			report | "spe report" | "spe profile")
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

# For shells without COMP_WORDS: the words of completions, or an empty one with the letter of
# compgen for files, directories or commands. Options and commands have a tab and their description.
_n3stat_print() {
	local word called text option

	_n3stat_unquoted() { echo "$1"; }
	_n3stat_quoted() { printf %s "$1"; }
	_n3stat_files() { printf '\t%s\n' "${1#-}"; }
	COMP_WORDS=()
	for word; do
		option=
		if [[ $word =~ ^(--[a-z.-]+)=(.*) ]]; then
			option=${BASH_REMATCH[1]}=
			COMP_WORDS+=("${BASH_REMATCH[1]}" "=" "${BASH_REMATCH[2]}")
		else
			COMP_WORDS+=("$word")
		fi
	done
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	_n3stat
	called=$(_n3stat_command)
	if [[ ${COMPREPLY[0]} == --* ]]; then
		_n3stat_options "$called" | grep -- "^$word"
		return
	fi
	[[ $called == spe ]] || called=
	for word in "${COMPREPLY[@]}"; do
		text=
		[[ " $_n3stat_commands $_n3stat_spe_commands " != *" $word "* ]] ||
			text=$'\t'$(n3stat ${called:+spe} "$word" --help 2>/dev/null |
				sed -n '/^[^ ]/{/^Usage/d; s/ *[,.:(].*//p; q}')
		printf '%s%s%s\n' "$option" "$word" "$text"
	done
}

complete -F _n3stat n3stat n3top n3spe n3-exporter
