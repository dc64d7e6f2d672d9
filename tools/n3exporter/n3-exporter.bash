# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=bash
# bash completion for n3-exporter; only needs bash.

_n3_exporter() {
	local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} first='' words

	COMPREPLY=()
	# readline splits --per=cpu into three words
	if [[ $current == = ]]; then
		current=
	elif [[ $before == = ]]; then
		before=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	case $before in
	--per) words="cpu numa_node system" ;;
	--groups)
		# a list: its last word is completed
		[[ $current != *,* ]] || first=${current%,*},
		current=${current##*,} current=${current,,}
		words="$(n3stat list groups 2>/dev/null | sed '1d; /^ /d; s/ .*//') all"
		words=${words,,}
		;;
	--source) mapfile -t COMPREPLY < <(compgen -d -- "$current"); return 0 ;;
	--textfile) mapfile -t COMPREPLY < <(compgen -f -- "$current"); return 0 ;;
	--listen | --interval | --max-series) return 0 ;;
	*)
		words="--listen --textfile --interval --once --per --groups --errors --max-series
			--source --help --version"
		;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$words" -P "$first" -- "$current")
}

complete -F _n3_exporter n3-exporter
