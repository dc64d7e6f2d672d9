# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3stat top: contents of a tmux terminal's screen, 80x24.

# shellcheck source=screen.sh
. "$here/screen.sh"

# shows_all PLACE PATH: level 1, the path and the advice are on the screen
shows_all()
{
	grep -q "^$1  *of all slots " "$tmp/out" &&
		[ "$(sed -n 's/^> *\([^ ]*\) .*/\1/p' "$tmp/out" | tr '\n' ' ')" = "$2 " ] &&
		[ "$(grep -Ec '^. (frontend_bound|backend_bound|bad_speculation|retiring) ' "$tmp/out")" \
			-eq 4 ] &&
		grep -q '^means:' "$tmp/out" && grep -A 3 '^look at:' "$tmp/out" | grep -q '\.$'
}

made top --cpus 200
starts "'$n3stat' -r '$made' top 0.3"
shows '^cpu0 +\|F+B+S*R+\|( +[0-9.]+){5} +backend_bound 6[0-9]% ' \
	"top: a bar and numbers for each CPU"
[ "$(wc -L <"$tmp/out")" -le 80 ] && [ "$(wc -l <"$tmp/out")" -eq 24 ]
result $? "top: the screen has 24 lines of at most 80 columns"
want=$(sed 's/ .* estimate=/ /' "$made/cpu0/quality/topdown_l1" "$made/cpu0/quality/general" |
	awk '{ v[$1] = $2 } END { printf "%5.1f %5.1f %5.1f %5.1f %6.2f", v["frontend_bound"], \
		v["backend_bound"], v["bad_speculation"], v["retiring"], v["ipc"] }')
grep -Fq "| $want" "$tmp/out"
result $? "top: the numbers are the files' estimates"
shows '^cpu199 ' "top: end scrolls to the last of 200 CPUs" End
shows '^system ' "top: home scrolls back to the first place" Home
largest=$(grep -H '^frontend_bound' "$made"/cpu*/quality/topdown_l1 | sed 's/ .* estimate=/ /' |
	sort -k 2 -g | tail -n 2 | sed 's|.*/\(cpu[0-9]*\)/.*|\1|')
second=${largest%%[!a-z0-9]*}
largest=${largest##*[!a-z0-9]}
matches '^n3stat top  SIMULATED  200 CPUs, ' "top: the first line indicates simulated counts"
smallest=$(grep -H '^frontend_bound' "$made"/cpu*/quality/topdown_l1 |
	sed 's/ .* estimate=/ /' | sort -k 2 -g | sed -n '1s|.*/\(cpu[0-9]*\)/.*|\1|p')
first_row_is()
{
	[ "$(sed -n 5p "$tmp/out" | cut -d' ' -f1)" = "$1" ] &&
		grep -q '^system ' "$tmp/out"
}
shows "by frontend_bound, smallest" "top: r sorts by the smallest" End '>' r
first_row_is "$smallest"
result $? "top: the smallest estimate is in the first row, for any selection"
shows "by frontend_bound, largest" "top: r sorts by the largest first again" End r
first_row_is "$largest"
result $? "top: the largest estimate is in the first row, for any selection"
cp "$made/$smallest/quality/topdown_l1" "$tmp/small"
worst="estimate=99.0000 estimate_low=98.9000 estimate_high=99.1000"
sed -i "s/^\(frontend_bound .*\) estimate=.*/\1 $worst/" "$made/$smallest/quality/topdown_l1"
shows "^$smallest .* 99\.0 " "top: a CPU that becomes the worst is visible"
first_row_is "$smallest"
result $? "top: it is in the first row"
cp "$tmp/small" "$made/$smallest/quality/topdown_l1"
within 60 "$largest in the first row" on_screen first_row_is "$largest"
tm send-keys Home Down
shows '> frontend_bound +[0-9.]+% ±[0-9.]+ +\|#+ *\|' "top: right shows the decision tree" Right
shows "^$largest +of all slots +of parent" "top: the tree is that of the selected CPU"
# drawn last
shows '^look at:' "top: the advice is visible below the tree"
matches '^real N3: perf record -e armv8_pmuv3_0/' "top: the command that finds the code is above it"
# one digit of the error, two decimals at most
number='=([^ ]*)'
want=$(sed -nE "s/^frontend_bound .* estimate$number estimate_low$number estimate_high=/\1 \2 /p" \
	"$made/$largest/quality/topdown_l1" |
	awk '{
		e = ($3 - $2) / 2
		d = e >= 1 ? 0 : e >= 0.1 ? 1 : 2
		printf "%.*f%% ±%.*f", d, $1, d, e
	}')
tr -s ' ' <"$tmp/out" | grep -Fq "> frontend_bound $want |"
result $? "top: the tree has the estimates and their errors"
! grep -q '^ *backend_cache_l1d_bound' "$tmp/out" &&
	grep -q '^ *backend_bound .*| .*% +$' "$tmp/out"
result $? "top: branches that the answer does not name are folded on 24 lines"
shows '^ *backend_cache_l1d_bound' "top: a shows the whole tree" Home a
shows 'look at:' "top: page down scrolls to the advice" NPage
matches '^groups:  [A-Z][A-Za-z_0-9]+' "top: groups to look at follow"
shows "^$second  *of all slots " "top: n shows the next place's tree" a n
shows '^  h, \?, F1 ' "top: ? shows the help" '?'
# two spaces, the keys, and their action in column 31
sed -n '/^$/q; s/^  \([^ ].\{27\}\)[a-z].*/\1/p' "$tmp/out" | sed 's/ *$//' >"$tmp/keys"
sed -n 's/\\-/-/g; s/\\e/\\/g; s/^\.B //p' "$here/../../man/n3stat-top.1" >"$tmp/manual"
grep -q '^  Numbers are estimates' "$tmp/out"
result $? "top: the help explains the numbers"
[ "$(wc -l <"$tmp/keys")" -eq 17 ] && ! grep -Fxvf "$tmp/manual" "$tmp/keys" >"$tmp/err"
result $? "top: the manual page has all keys of the help"
shows '% of slots' "top: left leaves the help, and then the tree" Left Left
shows 'PAUSED' "top: p pauses" p
echo 'frontend_bound value=idle' >"$made/cpu0/quality/topdown_l1"
shows 'by place' "top: < sorts by the place again" '<'
tm send-keys Home
sleep 0.7
tm capture-pane -p >"$tmp/out"
matches '^cpu0 +\|F+' "top: nothing changes while it is paused"
shows '^cpu0 +\|idle +\| +- ' "top: a non-numeric value is shown" p
tm resize-window -x 120 -y 30
shows '^cpu2[0-9] .{70,}' "top: the screen is drawn in a larger size"
tm resize-window -x 40 -y 10
shows '^cpu1 .*\|( +[0-9.]+){3}$' "top: a screen of 40x10 has bars and the first numbers"
tm resize-window -x 40 -y 12
tm send-keys Home '>' '>' '>' '>' '>'
shows '  SIMULATED  200 CPUs, by ipc$' "top: the first line fits 40 columns"
want=$(grep -H '^ipc ' "$made"/cpu*/quality/general "$made"/system/quality/general |
	sed -n 's|.*/\([a-z0-9]*\)/quality/general:.* estimate=\([^ ]*\).*|\2 \1|p' |
	sort -gr | sed -n '1{s/ .*//p}')
sed -n 5p "$tmp/out" | grep -q "|$(printf ' .* %6.2f' "$want")\$"
result $? "top: the sort column is among those that fit 40"
[ "$(wc -L <"$tmp/out")" -le 40 ] && [ "$(wc -l <"$tmp/out")" -eq 12 ] &&
	[ "$(sed -n 3p "$tmp/out")" = 'place  |% of slots  | front  back    ipc' ]
result $? "top: the header of 40x12 has whole columns"
shows 'by dtlb_mpki' "top: < before the first column sorts by the last" '<' '<' '<' '<' '<' '<'
shows 'by place$' "top: > after the last column sorts by place" '>'
tm send-keys Home
tm resize-window -x 20 -y 5
shows '^system \|F+B+S*R+\|$' "top: a screen of 20x5 has a row that ends at its edge"
same "top: the line below that row has the keys" 'h: help  q: quit  ri' "$(sed -n '$p' "$tmp/out")"
tm resize-window -x 20 -y 4
shows '^needs 20x5$' "top: reports the required size on a low screen"
tm resize-window -x 19 -y 24
shows '^needs 20x5$' "top: reports the required size on a narrow screen"
tm resize-window -x 80 -y 24
shows 'status=0' "top: q quits" q
tm kill-server
# an unreadable file is only noticed when it is displayed; 40 columns have no answer
# blind: the list, and then a file of CPU 2 that cannot be read
blind()
{
	made blind --cpus 3
	starts "'$n3stat' -r '$made' top -m retiring 0.1" 40
	within 60 "the list" on_screen grep -q '^cpu2 *|F'
	echo nonsense >"$made/cpu2/quality/topdown_backend"
	sleep 0.5
}
blind
shows '^cpu2 +\|F+' "top: the list is shown without reading the files of the tree" End
shows '^> +[0-9.]+% [a-z_]+' "top: the tree reads the files of its place" Up Right
sleep 0.5
shows "cpu2/quality/topdown_backend" "top: the next tree reads its own files" n
tm kill-server
blind
shows "cpu2/quality/topdown_backend" "top: a pause reads the files of all trees" p
tm kill-server
made no-quality --cpus 2 --no-quality
starts "'$n3stat' -r '$made' top 0.3"
want=$(awk '{ v[$1] = $2 } END { printf "%5.1f %5.1f %5.1f %5.1f", v["frontend_bound"], \
	v["backend_bound"], v["bad_speculation"], v["retiring"] }' "$made/cpu1/topdown_l1")
shows "^cpu1 .*\| $want " "top: the numbers are the values where the estimates cannot be read"
tm kill-server
# every possible answer, one per CPU
made ends --cpus 21
PYTHONPATH=$here/../../../selftests/user:$shared "$here/make_paths.py" "$made" >"$tmp/paths"
starts "'$n3stat' -r '$made' top 0.3"
shows '^cpu0 ' "top: shows a list of 21 CPUs with different paths" Home
tm send-keys Right
seen=0
while read -r place path; do
	tm send-keys n
	within 60 "the path of $place" on_screen shows_all "$place" "$path" && seen=$((seen + 1))
done <"$tmp/paths"
[ $seen -eq 21 ]
result $? "top: 24 lines hold level 1, every path and the advice"
tm kill-server
# only reading detects the end of the terminal
starts "trap '' HUP; '$n3stat' -r '$made' top 0.1 2>'$tmp/err'; echo \$? >'$tmp/status'; exit"
shows '^cpu1 ' "top: a list while SIGHUP is ignored"
tm kill-server
within 60 "its end" has_lines "$tmp/status" '^1$' && has_message terminal_gone
result $? "top: ends with an error when its terminal is closed and SIGHUP ignored"
for type in linux xterm xterm-256color vt100; do
	starts "TERM=$type '$n3stat' -r '$made' top 0.3"
	shows '^cpu1 +\|B+' "top: bars are shown on a $type"
	[ $type = vt100 ] || tm kill-server
done
mv "$made" "$tmp/top-gone"
shows 'n3stat top: .*no such directory' "top: leaves the screen when the module is unloaded"
shows 'status=3' "top: the exit status indicates a missing module"
tm kill-server

# Ten rounds of 200 CPUs without changes: a screen of 24 lines is at most 2000 bytes.
made still --cpus 200
(within 60 "the screen" has_lines "$tmp/sent" 'cpu1 ' && sleep 2.5; printf q) |
	TERM=vt100 script -qfc \
	"stty rows 24 cols 80; '$n3stat' -r '$made' top 0.2" "$tmp/sent" >/dev/null
grep -q 'cpu1 ' "$tmp/sent" && [ "$(wc -c <"$tmp/sent")" -lt 2500 ]
result $? "top: only changes are sent to the terminal"
wc -c <"$tmp/sent" >"$tmp/err"
refuses 2 needs_terminal "top: refuses to run without a terminal" -r "$made" top
while read -r type message; do
	TERM=$type script -qec "'$n3stat' -r '$made' top 2>'$tmp/err'" /dev/null </dev/null >"$tmp/out"
	[ $? -eq 1 ] && has_message unsuitable_terminal "terminal '$type' $message"
	result $? "top: refuses a terminal of type $type"
done <<-'END'
	n3-unknown is not known
	dumb has no full screen; try: n3stat --per cpu 1
END
made unchosen --cpus 1 --lean backend_bound
sed -i 's/ .*/ value=disabled/' "$made/cpu0/quality/topdown_backend"
sed -i 's/ .*/ disabled/' "$made/cpu0/topdown_backend"
echo topdown_l1 topdown_frontend >"$made/groups"
starts "'$n3stat' -r '$made' top -C 0 0.3"
shows '^cpu0 ' "top: a place without the groups of the tree is shown"
shows '^disabled: Topdown_Backend is not chosen \(groups\)$' \
	"top: the tree names the group that is not chosen" Right
matches '^try: +echo all > /sys/kernel/n3_telemetry/groups$' "top: and the command to choose it"
shows 'status=0' "top: q leaves the tree" q
tm kill-server
golden_tree
starts "'$n3stat' -r '$made' top 0.3"
within 60 "the whole screen" on_screen cmp -s - "$shared/golden/top.txt"
golden top.txt "top: the whole screen of the system and two CPUs"
tm kill-server
# rows with bars: name, share and error
rows_of() { sed -n 's/±/+-/g; s/^[> ] *\([a-z].*\)|.*|.*/\1/p' "$1" | xargs -n 3; }
run -r "$made" tree -C 0 && rows_of "$tmp/out" >"$tmp/shares"
starts "'$n3stat' -r '$made' top -C 0 5" 80 60
shows '^cpu0 ' "top: a CPU of that tree"
shows '^[> ] *retiring .*[|]' "top: its tree" Right
rows_of "$tmp/out" >"$tmp/rows"
[ "$(wc -l <"$tmp/rows")" -gt 15 ] && cmp "$tmp/shares" "$tmp/rows" >"$tmp/err" 2>&1
result $? "top: shares and errors of the tree as in n3stat tree"
tm kill-server
