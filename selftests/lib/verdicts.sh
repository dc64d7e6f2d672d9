# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2034,SC2154
# Words reported instead of values, in all files of a directory. To be sourced after lib.sh.

# tally DIRECTORY - contents of its 18 group files: "word values", in alphabetical order
tally() {
	awk -F '\t' '!/^#/ { print tolower($1) }' "$SPEC/groups.tsv" |
		sed "s|^|$N3T/$1/|" | xargs cat |
		awk '{ n[$2 ~ /^-?[0-9]/ ? "number" : $2]++ } END { for (w in n) print w, n[w] }' |
		sort | tr '\n' ' ' | sed 's/ $//'
}

# all_are WORD DIRECTORY... - whether WORD replaces every value there
all_are() {
	word=$1
	shift
	for dir; do
		said=$(tally "$dir")
		echo "$dir: $said"
		[ "$said" = "$word $values" ] || return 1
	done
}

everywhere='cpu0 cpu1 cpu2 cpu3 node0 system'
values=$(awk -F '\t' '!/^#/ { n += $4 } END { print n }' "$SPEC/groups.tsv")
