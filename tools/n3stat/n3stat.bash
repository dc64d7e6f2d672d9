# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# bash completion for n3stat; needs nothing but bash.

_n3stat_commands="tree top list explain record report spe doctor selftest"

# Those of spe, and the options of each beside the common ones.
# global even where bash-completion sources this from a function
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
_n3stat_spe_numbers="--pid --event-filter --inverse-event-filter --period --min-latency --seconds --duration --aux-size"

# The command among the words, "spe" with the one behind it, or nothing.
_n3stat_command() {
	local word command=

	for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		if [[ $command == spe && -v _n3stat_spe_options[$word] ]]; then
			command="spe $word"
			break
		elif [[ $word != -* && -z $command && " $_n3stat_commands " == *" $word "* ]]; then
			command=$word
			[[ $word == spe ]] || break
		fi
	done
	echo "$command"
}

_n3stat_options() {
	local common="--help --usage --version"
	local source="--root" places="--cpu --node --per" names="--group --metric"

	case $1 in
	tree | top) echo "$common $source $places" ;;
	list) echo "$common $source" ;;
	explain) echo "$common" ;;
	record) echo "$common $source $places $names --output --quiet" ;;
	report) echo "$common --output --from --to --cells --diff --place" ;;
	doctor) echo "$common $source --machine" ;;
	selftest) echo "$common $source --cpu --apply --json --output --input --list" ;;
	spe) echo "$common" ;;
	"spe "*) echo "$common ${_n3stat_spe_options[${1#spe }]}" ;;
	*) echo "$common $source $places $names --sort --timestamp --json --csv" ;;
	esac
}

# In lower case, as files and documentation have them; any case is taken.
_n3stat_names() {
	local what names

	for what; do
		names=$(n3stat list "$what" 2>/dev/null | sed '1d; s/ .*//')
		echo "${names,,}"
	done
}

_n3stat_files() {
	mapfile -t COMPREPLY < <(compgen "$1" -- "$2")
	compopt -o filenames 2>/dev/null
}

_n3stat() {
	local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
	local called words before_last=

	COMPREPLY=()
	# readline splits --group=mpki in three
	if [[ $current == = ]]; then
		current=
	elif [[ $before == = ]]; then
		before=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	called=$(_n3stat_command)
	# these mean something else elsewhere
	[[ $called != "spe record" || $before != -[pms] ]] || return 0
	case $before in
	--group | -g | --metric | -m)
		# a list: its last word is completed
		[[ $current != *,* ]] || before_last=${current%,*},
		current=${current##*,}
		;;&
	--group | -g | --metric | -m | --sort) current=${current,,} ;;&
	--group | -g) words="$(_n3stat_names groups) all" ;;
	--metric | -m | --sort) words=$(_n3stat_names metrics) ;;
	--per | -p) words="cpu node system" ;;
	--cpu | -C | --node | -N | --from | --to | --place) return 0 ;;
	--*) [[ " $_n3stat_spe_numbers " != *" $before "* ]] || return 0 ;;&
	--root | -r | --machine) _n3stat_files -d "$current"; return 0 ;;
	--timestamps) words="virtual physical" ;;
	--output | -o | --input | -i) _n3stat_files -f "$current"; return 0 ;;
	*)
		if [[ $current == -* ]]; then
			words=$(_n3stat_options "$called")
		else
			case $called in
			list) words="events metrics groups" ;;
			explain) words=$(_n3stat_names metrics groups) current=${current,,} ;;
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
	mapfile -t COMPREPLY < <(compgen -P "$before_last" -W "$words" -- "$current")
}

complete -F _n3stat n3stat
