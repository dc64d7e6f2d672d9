# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3stat [INTERVAL [COUNT]]: tables, intervals, errors; on a copy of the directory.

# CPUs 0 to 3 and 8, without a system, a specification and errors
made words --cpus 5 --no-quality --no-totals
tree=$made
mv "$tree/cpu4" "$tree/cpu8"
rm -r "$tree/system" "$tree/node0" "$tree/spec" "$tree/groups" "$tree"/cpu*/spe
while read -r cpu ipc frontend backend speculation retiring; do
	echo "ipc $ipc" >"$tree/cpu$cpu/general"
	printf '%s\n' "frontend_bound $frontend" "backend_bound $backend" \
		"bad_speculation $speculation" "retiring $retiring" >"$tree/cpu$cpu/topdown_l1"
done <<-'END'
	0 1.234567 21.3174 43.0021 4.1120 31.5685
	1 0.999999 -0.4321 12.0000 0.0001 88.4320
	8 2.000000 100.0000 0.0000 undef contended
END
# all values, which have decimals
sed -i 's/ .*[.].*/ idle/' "$tree/cpu2"/*
sed -i 's/ .*[.].*/ offline/' "$tree/cpu3"/*

# --- output

prints "-g topdown_l1: a row per CPU, words as in the files" -r "$tree" -g topdown_l1 <<-'END'
	 cpu  frontend_bound  backend_bound  bad_speculation     retiring
	              %slots         %slots           %slots       %slots
	   0         21.3174        43.0021           4.1120      31.5685
	   1         -0.4321        12.0000           0.0001      88.4320
	   2            idle           idle             idle         idle
	   3         offline        offline          offline      offline
	   8        100.0000         0.0000            undef    contended
END

prints "-C accepts a CPU list in the kernel's format" -r "$tree" -C 1-2,8 -g general <<-'END'
	 cpu          ipc
	           /cycle
	   1     0.999999
	   2         idle
	   8     2.000000
END

prints "-C: a CPU named twice is printed once" -r "$tree" --cpu=1,0-1 --group=GENERAL <<-'END'
	 cpu          ipc
	           /cycle
	   0     1.234567
	   1     0.999999
END

prints "-g: each of two groups is printed below its name" \
	--root="$tree" -C 8 -g Topdown_l1 -g general -g General <<-'END'
	Topdown_L1
	 cpu  frontend_bound  backend_bound  bad_speculation     retiring
	              %slots         %slots           %slots       %slots
	   8        100.0000         0.0000            undef    contended

	General
	 cpu          ipc
	           /cycle
	   8     2.000000
END

prints "a single row does not overlap" -r "$tree" -C 0 -g general 0.01 1 <<-'END'
	 cpu          ipc
	           /cycle
	   0     1.234567
END

prints "a pipe gets the header once" -r "$tree" -C 0 -g general 0.01 3 <<-'END'
	means of 2 s: rows 0.01 s apart overlap
	 cpu          ipc
	           /cycle
	   0     1.234567
	   0     1.234567
	   0     1.234567
END

one_group 'frontend_bound 18446744073709551615.1250000001\nnew_metric 1\n'
prints "values are printed digit by digit, an unknown metric without a unit" \
	-r "$tmp/one" -g topdown_l1 <<-'END'
	 cpu  frontend_bound   new_metric
	              %slots            -
	   0  18446744073709551615.1250000001            1
END

# Another core, accepted by core=
cp -r "$tree" "$tmp/v2"
printf '%s\n' 'pmu armv8_pmuv3_0' 'core Neoverse V2 (0xd4f): not a Neoverse N3' 'slots 8' \
	>"$tmp/v2/spec"
prints "a table first reports a core other than Neoverse N3" \
	-r "$tmp/v2" -C 0 -g general 0.01 2 <<-'END'
	Neoverse V2 (0xd4f): not a Neoverse N3: for rehearsal only
	means of 2 s: rows 0.01 s apart overlap
	 cpu          ipc
	           /cycle
	   0     1.234567
	   0     1.234567
END
run -r "$tmp/v2" -C 0 -g general --csv &&
	[ "$(cat "$tmp/err")" = 'Neoverse V2 (0xd4f): not a Neoverse N3: for rehearsal only' ] &&
	[ "$(head -n 1 "$tmp/out")" = time,place,ipc,simulated ]
result $? "--csv reports a core other than Neoverse N3 on stderr"
run -r "$tmp/v2" -C 0 -g general --json && [ ! -s "$tmp/err" ] &&
	python3 -c 'import json, sys
sys.exit(json.load(sys.stdin)["core"] != "Neoverse V2 (0xd4f): not a Neoverse N3")' <"$tmp/out"
result $? "--json has a key for a core other than Neoverse N3"
run -r "$tree" -C 0 -g general --json && ! grep -q '"core"' "$tmp/out"
result $? "--json has no such key for a Neoverse N3"
run -r "$tmp/v2" tree -C 0 && [ "$(head -n 1 "$tmp/out")" = \
	'Neoverse V2 (0xd4f): not a Neoverse N3: for rehearsal only' ]
result $? "tree first reports a core other than Neoverse N3"

# Each value of each file, read here with awk, must be in the row of its
# CPU, below the name of its metric.
run -r "$tree" -g all
status=$?
for cpu in 0 1 2 3 8; do
	for file in "$tree/cpu$cpu"/*; do
		[ "${file##*/}" = status ] && continue
		awk -v cpu="$cpu" -v group="${file##*/}" '
			NR == FNR { value[$1] = $2; left++; next }
			/^[A-Za-z]/ { here = tolower($1) == group }
			here && $1 == "cpu" { for (i = 2; i <= NF; i++) name[i] = $i }
			here && NF > 1 && $1 == cpu "" {
				for (i = 2; i <= NF; i++)
					left -= value[name[i]] == $i
			}
			END { exit left != 0 }' "$file" "$tmp/out" || status=1
	done
done
[ "$(grep -c '^[A-Za-z]' "$tmp/out")" -eq 18 ] || status=1
result $status "-g all prints every value of all 18 groups in its place"

cp -r "$tree" "$tmp/more"
for cpu in 0 1 2 3 8; do
	echo "reads 5.0000" >"$tmp/more/cpu$cpu/custom"
	mkdir "$tmp/more/cpu$cpu/quality" "$tmp/more/cpu$cpu/counters"
done
run -r "$tmp/more" -C 0 -g all && [ "$(tail -n 4 "$tmp/out" | head -n 1)" = custom ] &&
	! grep -Eqx 'quality|counters|status' "$tmp/out"
result $? "-g all also reads groups of a newer module, and no other file"

# --- groups that are not sampled

cp -r "$tree" "$tmp/unsampled"
echo 'topdown_l1 general' >"$tmp/unsampled/groups"
for cpu in 0 1 2 3 8; do
	sed -i 's/ .*/ disabled/' "$tmp/unsampled/cpu$cpu/mpki"
done
run -r "$tmp/unsampled" -g mpki 0.01 2
same "-g: the command that enables a group that is not sampled, once" \
	'disabled: MPKI is not chosen (groups); try: echo all > /sys/kernel/n3_telemetry/groups' \
	"$(grep '^disabled: MPKI ' "$tmp/out")"
echo 'topdown_l1 general chi_busy' >"$tmp/unsampled/groups"
for cpu in 0 1 2 3 8; do
	echo 'memory_read_ratio disabled' >"$tmp/unsampled/cpu$cpu/memory_traffic"
done
run -r "$tmp/unsampled" -g memory_traffic
[ "$(sed -n 's/^disabled:.*; try: //p' "$tmp/out")" = \
	"echo all memory_traffic chi_busy > /sys/kernel/n3_telemetry/groups" ]
result $? "-g: the command names groups that 'all' leaves out, wanted or chosen"
run -r "$tmp/unsampled" -g general && ! grep -q '^disabled:' "$tmp/out"
result $? "-g: no such command for a group that is sampled"

echo 'topdown_l1 topdown_frontend general' >"$tmp/unsampled/groups"
for cpu in 0 1 2 3 8; do
	sed -i 's/ .*/ disabled/' "$tmp/unsampled/cpu$cpu/topdown_backend"
done
run -r "$tmp/unsampled" --per cpu 0.01 2
groups=/sys/kernel/n3_telemetry/groups
same "brief: the command that enables a group of the tree, once" 1 \
	"$(grep -c "^disabled: Topdown_Backend is .*; try: echo all > $groups\$" "$tmp/out")"
echo 0 >"$tmp/unsampled/enable"
run -r "$tmp/unsampled" --per cpu
grep -q '^disabled: .*; try: echo 1 > /sys/kernel/n3_telemetry/enable$' "$tmp/out"
result $? "brief: the command that switches sampling on"

# --- sorted by the answer

made ranked --cpus 4 --seed 3
wanted=$("$n3stat" -r "$made" tree --json --per cpu | python3 -c 'import json, sys
for place in json.load(sys.stdin)["places"]:
    answer = place["answer"]
    print(answer["share"] if answer["areas"] != ["retiring"] else 0, place["id"])' |
	sort -rn | cut -d " " -f 2 | xargs)
run -r "$made" --per cpu -s answer
[ "$(awk '$1 ~ /^[0-9]$/ { print $1 }' "$tmp/out" | xargs)" = "$wanted" ] &&
	[ "${wanted##* }" -eq 3 ] &&
	grep -q '^ *3 .* retiring' "$tmp/out"
result $? "--sort answer: the largest area first, retiring is not one: $wanted"
run -r "$made" --per cpu -s answer -m ipc
[ $? -eq 5 ]
result $? "--sort answer: refused where it is not shown"

# --- excluded CPUs

golden_tree
cp -r "$made" "$tmp/excluded"
printf '%s\n' 'cpus 8' 'included 4' 'excluded 4' 'offline 3' 'disabled 1' \
	>"$tmp/excluded/system/status"
cp -r "$tmp/excluded/system" "$tmp/excluded/node1"
printf '%s\n' 'cpus 4' 'included 0' 'excluded 4' 'offline 4' >"$tmp/excluded/node1/status"
cp -r "$tmp/excluded/system" "$tmp/excluded/node0"
printf '%s\n' 'cpus 2' 'included 2' 'excluded 0' >"$tmp/excluded/node0/status"
for options in "" "-m ipc"; do
	# shellcheck disable=SC2086 # words
	run -r "$tmp/excluded" --per system --per node --per cpu $options
	[ "$(grep -oE '^ *(system|node|cpu).*CPUs\)|^ *(node|cpu)[0-9]' "$tmp/out" | sed 's/^ *//')" = \
		"system (4 of 8 CPUs)
node0
node1 (0 of 4 CPUs)
cpu0
cpu1" ]
	result $? "excluded CPUs are behind the name of the system and of a node: $options"
	# shellcheck disable=SC2086
	run -r "$tmp/excluded" --per node $options
	[ "$(grep -oE '^ *[0-9] (\([^)]*\))?' "$tmp/out" | tr -s ' ')" = " 0 
1 (0 of 4 CPUs)" ]
	result $? "excluded CPUs of nodes alone: $options"
done
run -r "$tmp/excluded" --per system --per node -C 0 -m ipc --csv
[ "$(cut -d , -f 2,4- "$tmp/out" | tr '\n' ' ')" = \
	"place,cpus,included,simulated system,8,4,0 node0,2,2,0 node1,4,0,0 cpu0,,,0 " ]
result $? "--csv: CPUs and included ones of the system and of nodes"
run -r "$tmp/excluded" -C 0 -m ipc --csv && [ "$(head -n 1 "$tmp/out")" = time,place,ipc,simulated ]
result $? "--csv: no such columns for CPUs alone"
run -r "$tmp/excluded" --per system --per node -C 0 -m ipc --json && python3 -c 'import json, sys
print([(p["place"], p.get("cpus"), p.get("included")) for p in json.load(sys.stdin)["places"]])' \
	<"$tmp/out" >"$tmp/numbers" && [ "$(cat "$tmp/numbers")" = \
	"[('system', 8, 4), ('node0', 2, 2), ('node1', 4, 0), ('cpu0', None, None)]" ]
result $? "--json: CPUs and included ones of the system and of nodes"
begins -r "$tmp/excluded" --per system -m ipc 0.05
within 60 "a line with excluded CPUs" has_lines "$tmp/out" '\(4 of 8 CPUs\)' &&
	printf '%s\n' 'cpus 8' 'included 8' 'excluded 0' >"$tmp/excluded/system/status" &&
	within 60 "a line without" has_lines "$tmp/out" '^ +system +[0-9]'
status=$?
stops
result $status "excluded CPUs are read with each interval"

# --- intervals

# INTERVAL | lines that state what the columns cover; the window is 2 s
while IFS='|' read -r options wanted; do
	# shellcheck disable=SC2086 # words
	run -r "$made" --per system $options && grep -E '[0-9] s' "$tmp/out" >"$tmp/stated"
	# shellcheck disable=SC2046 # the numbers
	same "which time the columns cover: ${options:-once}" "$wanted" \
		"$(wc -l <"$tmp/stated") $(grep -oE '[0-9.]+' "$tmp/stated" | xargs)"
done <<-'END'
	|0 
	--proc /proc|1 0.25 2
	0.02 2|1 2 0.02
	2 1|0 
	--proc /proc 0.02 2|1 2 0.02 0.25
	--proc /proc 2 2|1 2
	--proc /proc 3 1|1 0.25 2
	--json 0.02 2|0 
	--csv -m ipc 0.02 2|0 
END

before=$(date +%s)
TZ=IST-5:30 "$n3stat" -r "$tree" -C 0 -g general -t 0.15 3 >"$tmp/out" 2>"$tmp/err"
"$here/check_times.py" "$tmp/out" "$before" "$(date +%s)" >"$tmp/err" 2>&1
result $? "-t: local date and time in milliseconds"

start=$(date +%s%N)
run -r "$tree" -g topdown_l1 -C 0 0.2 3
status=$?
ms=$((($(date +%s%N) - start) / 1000000))
[ $status -eq 0 ] && [ "$(grep -c '21.3174' "$tmp/out")" -eq 3 ] && [ $ms -ge 400 ] &&
	[ $ms -lt 5000 ]
result $? "INTERVAL COUNT: prints COUNT reports at this interval"

{ "$n3stat" -r "$tree" --per cpu 0.01; echo $? >"$tmp/status"; } 2>"$tmp/err" |
	head -n 3 >"$tmp/out"
[ "$(cat "$tmp/status")" -eq 0 ] && [ ! -s "$tmp/err" ]
result $? "the program ends without a message when the reader of its pipe ends"

script -qc "stty rows 10 cols 80; '$n3stat' -r '$tree' -g topdown_l1 -C 0-1 0.01 10" /dev/null \
	>"$tmp/out" </dev/null 2>"$tmp/err"
# 10 lines: 2 of header, 2 CPUs, a blank line, 2 CPUs: a screen has 2 of 10 reports
same "the header is repeated with each screenful on a terminal" 5 \
	"$(grep -c frontend_bound "$tmp/out")"
script -qc "stty rows 24 cols 60; '$n3stat' -r '$tree' -C 0 -g sve_effectiveness" /dev/null \
	</dev/null 2>"$tmp/err" | tr -d '\r' | sed 's/ *$//' >"$tmp/out"
[ "$(head -n 4 "$tmp/out" | tr -s ' ' | tr '\n' ';')" = " sve_ sve_ sve_; \
predicate_ predicate_ predicate_ sve_; empty_ full_ partial_ predicate_; \
cpu percentage percentage percentage percentage;" ]
result $? "long names are folded on a narrow terminal"

"$n3stat" -r "$tree" -g all >"$tmp/expected"
"$N3STAT_SHORT_READ" -r "$tree" -g all >"$tmp/out" 2>"$tmp/err" &&
	cmp -s "$tmp/out" "$tmp/expected"
result $? "short and interrupted reads change nothing"

# --- errors

refuses 2 bad_value "refuses a CPU list of letters" -r "$tree" -C abc
refuses 2 bad_value "refuses an empty CPU list" -r "$tree" -C ""
refuses 2 bad_value "refuses a range that goes down" -r "$tree" -C 3-0
refuses 2 bad_value "refuses an open range" -r "$tree" -C 0-
refuses 2 bad_value "refuses a comma at the end" -r "$tree" -C 0,
refuses 2 bad_value "refuses a CPU number that is too large" -r "$tree" -C 99999999999999999999
refuses 2 bad_value "refuses an interval of 0" -r "$tree" 0
refuses 2 bad_value "refuses an interval with letters" -r "$tree" 1e9
refuses 2 "unknown_command 'topp'" "refuses a word that is not a command" -r "$tree" topp
refuses 2 bad_value "refuses an empty interval" -r "$tree" ""
refuses 2 bad_value "refuses a count of 0" -r "$tree" 1 0
refuses 2 bad_value "refuses a count with a sign" -r "$tree" 1 +1
refuses 2 bad_value "refuses a count that does not fit" -r "$tree" 1 99999999999999999999
refuses 2 too_many_arguments "refuses a third argument" -r "$tree" 1 1 1
refuses 4 "no_such_place CPU 4" "names a CPU that does not exist" -r "$tree" -C 0-8
for option in --json --js --j; do
	run -r "$tree" -C 99 "$option"
	is_json_error no_such_place
	result $? "$option: the error is JSON"
done
for words in "--json frob" "frob --json" "--json -- frob"; do
	# shellcheck disable=SC2086 # words
	run $words
	[ $? -eq 2 ] && is_json_error unknown_command
	result $? "$words: the error is JSON"
done
refuses 5 "unknown_group  branch_effectiveness[?]" "names the group that begins with the word" \
	-r "$tree" -g Branch
refuses 5 "unknown_group 'status'" "refuses the file status as a group" -r "$tree" -g status
refuses 5 "unknown_group '../enable'" "refuses a path as a group" -r "$tree" -g ../enable
refuses 5 "unknown_group ''" "refuses an empty name as a group" -r "$tree" -g ""
refuses 3 no_directory "names a directory that does not exist" -r "$tmp/nothing"
refuses 3 no_directory "refuses a file as a directory" -r "$tree/enable"
mkdir -p "$tmp/empty"
for command in "" tree bottleneck "list events" record top; do
	# shellcheck disable=SC2086 # words
	refuses 3 "not_a_copy $tmp/empty" "refuses an empty directory: ${command:-table}" \
		-r "$tmp/empty" $command
done
refuses 4 "no_such_place node" "reports that no node is measured" -r "$tree" --per node
refuses 4 "no_such_place system" "reports that a copy has no system" -r "$tree"
if [ -e /sys/kernel/n3_telemetry ]; then
	skip "reports that the module is not loaded" "it is loaded"
else
	case $(uname -m) in
	aarch64) remedy='systemctl restart n3-telemetry' ;;
	*) remedy='Arm' ;;
	esac
	refuses 3 "no_module $remedy" "reports that the module is not loaded" -C 0
	# a command that does not help on this machine
	[ "$remedy" != Arm ] || ! grep -Eq 'systemctl|modprobe' "$tmp/err"
	result $? "does not propose to load the module where it cannot be"
fi

one_group ''
refuses 1 malformed_file "an empty file of the module is reported as an error" \
	-r "$tmp/one" -g topdown_l1
one_group 'frontend_bound\n'
refuses 1 "malformed_file frontend_bound" "a line without a value is reported as an error" \
	-r "$tmp/one" -g topdown_l1
awk 'BEGIN { for (i = 0; i < 200; i++) print "m" i, i }' >"$tmp/one/cpu0/topdown_l1"
refuses 1 malformed_file "too many lines are reported as an error" -r "$tmp/one" -g topdown_l1
awk 'BEGIN { for (i = 0; i < 20000; i++) printf "xxxxx" }' >"$tmp/one/cpu0/topdown_l1"
refuses 1 cannot_read "a file that is too large is reported as an error" -r "$tmp/one" -g topdown_l1

one_group 'a\033[2J 1\000\0072\n'
run -r "$tmp/one" -g topdown_l1 && [ "$(tr -d '\n -~' <"$tmp/out" | wc -c)" -eq 0 ]
result $? "control characters never reach the terminal"

cp -r "$tree" "$tmp/secret"
chmod 400 "$tmp/secret/cpu1/topdown_l1"
name="says so when permission is denied"
if [ "$(id -u)" -ne 0 ]; then
	chmod 0 "$tmp/secret/cpu1/topdown_l1"
	refuses 6 permission_denied "$name" -r "$tmp/secret" -C 1
elif command -v setpriv >/dev/null; then
	setpriv --reuid=65534 --regid=65534 --clear-groups "$n3stat" -r "$tmp/secret" -C 1 \
		>"$tmp/out" 2>"$tmp/err"
	[ $? -eq 6 ] && [ ! -s "$tmp/out" ] && has_message permission_denied 'be root'
	result $? "$name"
else
	skip "$name" "root needs setpriv(1) to become another user"
fi

# The directory of a CPU vanishes and comes back while it is read.
cp -r "$tree" "$tmp/hotplug"
begins -r "$tmp/hotplug" -g topdown_l1 -C 0-1 0.05
gone='^   1( +-){4}$'
within 60 "a line of CPU 1" has_lines "$tmp/out" '^   1 .*88.4320' &&
	mv "$tmp/hotplug/cpu1" "$tmp/hotplug/gone" &&
	within 60 "a line of a CPU that is gone" has_lines "$tmp/out" "$gone" 2 &&
	mv "$tmp/hotplug/gone" "$tmp/hotplug/cpu1" &&
	within 60 "a line of a CPU that is back" sh -c "tail -n 1 '$tmp/out' | grep -q 88.4320"
status=$?
stops
[ $status -eq 0 ] && [ ! -s "$tmp/err" ]
result $? "a CPU that vanishes and comes back is shown as - in between"

cp -r "$tree" "$tmp/unload"
begins -r "$tmp/unload" -g topdown_l1 0.1
within 60 "the first values" has_lines "$tmp/out" '[0-9]$' && mv "$tmp/unload" "$tmp/unloaded"
ends $pid 3 && [ "$(wc -l <"$tmp/err")" -eq 1 ]
result $? "reports that the module is not loaded after unloading"

run -r "$made" --per cpu --per system
golden table.txt "without options: the whole table of the system and two CPUs"
