#compdef n3stat n3top n3spe n3-exporter
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# zsh completion for n3stat, n3top, n3spe and n3-exporter: asks n3stat.bash.

local bash=${${(%):-%x}:A:h}/../../bash-completion/completions/n3stat line
local -a found names parts

found=("${(@f)$(bash --norc -c '. "$1"; shift; _n3stat_print "$@"' - $bash \
	"${(@Q)words[1,CURRENT-1]}" "${(Q)PREFIX}")}")
[[ $found[1] != $'\t'? ]] || compset -P '--[a-z.-]##='
case $found[1] in
$'\tf') _files ;;
$'\td') _files -/ ;;
$'\tc') _command_names -e ;;
*)
	for line in $found; do
		[[ $line == */ ]] && parts+=($line) || names+=("${${line//:/\\:}/$'\t'/:}")
	done
	_describe -t values value names
	(( ! $#parts )) || compadd -S '' -a parts
	;;
esac
