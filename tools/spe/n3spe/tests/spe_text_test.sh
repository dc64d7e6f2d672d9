# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3stat spe report: lists, text, pager and page; spe profile: branches without an address

export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$PYTHONPATH:$here/../../libspe/tests:$shared"
PYTHONPATH="$PYTHONPATH:$here/../../tests"
spe=$tmp/spe
mkdir -p "$spe"
"$here/spe_text_cases.py" write "$spe" "$plain_n3stat" >"$tmp/out" 2>"$tmp/err" ||
	{ cat "$tmp/err"; exit 1; }

while read -r case name; do
	"$here/spe_text_cases.py" "$case" "$spe" "$plain_n3stat" >"$tmp/out" 2>"$tmp/err"
	result $? "spe $name"
done <<-'END'
	order report: the order of the lists
	choice report: --list chooses and orders lists
	rows report: --lines, --top and -n are the number of rows
	widths report: all rows have 80 columns at most, or those of a wider terminal
	long_names report: names are whole if they fit, and shortened if not
	columns report: the column of the sort key stays, rare ones go first, after long names
	sort_key report: a wrong --sort names all keys
	kept_lines report: records of the instructions that are in lines
	no_core report: --core is named where the core is unknown
	no_cpus report: -C for a file without CPUs
	same_lines report: lines of one name in two programs
	default_file report and profile: perf.data is read without a FILE
	pager report: a pager on a terminal only
	quit_pager report: a pager that quits at once is no error
	pager_status report: the exit status is that of the report, after the pager has ended
	page report: links, title and script of the page
	no_program profile: without the program, an error and no file
	no_segment profile: branches without an address in the program are counted
END
if command -v chromium >/dev/null; then
	"$here/spe_text_cases.py" sort_page "$spe" "$plain_n3stat" >"$tmp/out" 2>"$tmp/err"
	result $? "spe report: a click sorts a table of the page"
else
	skip "spe report: a click sorts a table of the page" "no chromium"
fi
