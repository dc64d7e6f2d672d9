# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3stat containers, on trees that change between its readings. containers.py has the counts.

export PYTHONPATH="$shared:$here/../../../selftests/user"
gcc -Wall -Wextra -shared -fPIC -o "$tmp/on_sleep.so" "$shared/on_sleep.c" || exit 1
made containers/kernel/n3_telemetry --cpus 2
box=$many/containers
cp -r "$box" "$many/fresh"

# begins_at_0 OPTION...: the tree before the first reading
begins_at_0()
{
	rm -rf "$box"
	cp -r "$many/fresh" "$box" && "$here/containers.py" step "$box" "$@"
}

# measures "OPTION..." ARGUMENT...: nine readings of nine steps of the tree
measures()
{
	options=$1
	shift
	# shellcheck disable=SC2086 # words
	begins_at_0 $options &&
		ON_SLEEP="$here/containers.py step $box $options" LD_PRELOAD=$tmp/on_sleep.so \
			"$plain_n3stat" containers -r "$made" "$@" >"$tmp/out" 2>"$tmp/err"
}

# agrees check|table "OPTION..."
agrees()
{
	cp "$tmp/out" "$tmp/report"
	# shellcheck disable=SC2086 # words
	"$here/containers.py" "$1" "$box" "$tmp/report" $2 >"$tmp/out" 2>&1 && [ ! -s "$tmp/out" ] &&
		[ ! -s "$tmp/err" ]
}

for options in "" few noisy unified "uncovered evicted other dropped"; do
	measures "$options" --json && agrees check "$options"
	result $? "JSON: rows, times, shares, intervals, order are those of the counts: $options"
done
measures noisy && agrees table noisy
result $? "the table has the same numbers"

# has_notes WORD...: the lines after the last row begin with these
has_notes()
{
	sed '1,/^(removed)/d' "$tmp/report" | cut -d ' ' -f 1-2 >"$tmp/notes"
	printf '%s\n' "$@" | grep -v '^$' | cmp -s - "$tmp/notes"
}
has_notes ""
result $? "no note with a coverage of 97 %"
measures "uncovered evicted other dropped" && cp "$tmp/out" "$tmp/report" &&
	has_notes "coverage 80" "8 evicted:" "80 pieces" "8 slices"
result $? "notes on coverage, evicted, other and dropped"
echo "containers sampled" >>"$many/fresh/kernel/n3_telemetry/cpu0/status"
echo "containers no_direct" >>"$many/fresh/kernel/n3_telemetry/cpu1/status"
measures "" && cp "$tmp/out" "$tmp/report" && has_notes "1 CPU"
result $? "a note on a CPU that is not sampled"
measures "" --json && grep -q '"cpus":{"sampled":1,"no_direct":1}' "$tmp/out"
result $? "JSON: the same"
sed -i 's/^backend_bound .*/backend_bound unsupported/' \
	"$many"/fresh/kernel/n3_telemetry/system/topdown_l1 \
	"$many"/fresh/kernel/n3_telemetry/system/quality/topdown_l1
measures "" --json && ! grep -q '"areas":\["' "$tmp/out" &&
	[ "$(grep -o '"text":"unsupported"' "$tmp/out" | wc -l)" -gt 20 ]
result $? "a metric that the cores do not have is not computed"

# --- the module loaded again
begins_at_0 && "$here/containers.py" step "$box" evicted dropped &&
	cp "$made/system/containers" "$tmp/fewer" &&
	"$here/containers.py" step "$box" evicted dropped &&
	ON_SLEEP="cp $tmp/fewer $made/system/containers" LD_PRELOAD=$tmp/on_sleep.so \
		"$plain_n3stat" containers -r "$made" --json >"$tmp/out" 2>"$tmp/err" &&
	grep -q '"coverage":null.*"switches":1000,"evicted":1,.*"dropped_slices":1,' "$tmp/out"
result $? "what grew after the module was loaded again"

# --- the directory of cgroups
begins_at_0
mv "$box/fs/cgroup" "$box/elsewhere"
refuses 1 no_cgroup2 "no directory of cgroups" containers -r "$made" --json 0.01
run containers -r "$made" --cgroups "$box/elsewhere" 0.01 && [ ! -s "$tmp/err" ]
result $? "--cgroups names it"
begins_at_0
run containers -r "$made///" --json 0.01
result $? "a / behind the source"
NO_ROOT=1 LD_PRELOAD=$tmp/on_sleep.so "$plain_n3stat" containers -r "$made" 0.01 \
	>"$tmp/out" 2>"$tmp/err"
[ $? -eq 1 ] && has_message no_cgroup2
result $? "a directory in the hierarchy"
begins_at_0
mkdir "$many/module" && cp -r "$made" "$many/module/n3"
refuses 1 no_cgroup2 "a copy outside a sysfs has none" containers -r "$many/module/n3" 0.01
refuses 3 no_directory "no source" containers -r "$tmp/none" 0.01
refuses 2 bad_value "an interval that is no number" containers -r "$made" x
refuses 2 too_many_arguments "two intervals" containers -r "$made" 1 1

for word in off no_direct split too_many_switches new; do
	begins_at_0
	sed -i "s/^containers .*/containers $word/" "$made"/cpu[01]/status
	refuses 1 "containers_off sampled: $word " "no CPU is sampled: $word" containers -r "$made" 0.01
done

# --- the file
file=$made/system/containers
begins_at_0
cp "$file" "$tmp/whole"
echo 0 >"$made/container_pieces"
refuses 1 "containers_off echo 125 >$made/container_pieces" "the setting is 0" \
	containers -r "$made" --json 0.01
: >"$file"
refuses 1 containers_off "the setting was never above 0" containers -r "$made" 0.01
echo 125 >"$made/container_pieces"
refuses 1 malformed_file "an empty file in spite of the setting" containers -r "$made" 0.01
rm "$made/container_pieces"
refuses 1 unknown_version "a module without containers" containers -r "$made" 0.01
echo 125 >"$made/container_pieces"
# spoilt SED NAME [ID]: the file with a change is refused
spoilt()
{
	sed "$1" "$tmp/whole" >"$file"
	refuses 1 "${3:-malformed_file}" "a file with $2" containers -r "$made" 0.01
}
spoilt '1s/1 /2 /' "another version" unknown_version
spoilt '1s/ 1 /1x /' "letters in record 0"
spoilt '1s/ 0 / -1/' "a negative number"
spoilt '3s/[0-9] /. /' "a point in a number"
spoilt '4s/[0-9]* /99999999999999999999 /2' "a record of another length"
spoilt '4s/^.\{20\}/99999999999999999999/' "a number above 64 bits"
spoilt '5s/ $/./' "a record without an end"
spoilt '3d;4s/ //' "a missing byte"
for size in 1 255 257 600; do
	head -c $size "$tmp/whole" >"$file"
	refuses 1 malformed_file "a file of $size bytes" containers -r "$made" 0.01
done
head -c 256 "$tmp/whole" >"$file"
run containers -r "$made" --json 0.01 && grep -q '"containers":\[\]' "$tmp/out"
result $? "record 0 alone: no rows"
