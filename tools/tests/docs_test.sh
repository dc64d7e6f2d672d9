# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# Help, manual pages and completion exist for all commands and are complete.

man=$tmp/man
mkdir "$man" && cp "$here"/../man/* "$here"/../spe/man/* "$man"

for command in "" $commands; do
	command=$(echo "$command" | tr / ' ')
	called="n3stat${command:+ $command}"
	# shellcheck disable=SC2086 # no command is no argument
	run $command --help && [ "$(wc -l <"$tmp/out")" -le 24 ] && [ "$(wc -L <"$tmp/out")" -le 80 ]
	result $? "help of $called fits a screen"
	page=$man/$(echo "$called" | tr " " -).1
	# shellcheck disable=SC2086
	"$n3stat" $command --help | grep -Eo -- '--[a-z-]+[a-z]' | sort -u >"$tmp/options"
	sed 's/\\-/-/g' "$page" >"$tmp/manual" 2>"$tmp/err"
	awk 'NR == FNR { text = text $0 "\n"; next } !index(text, $0)' \
		"$tmp/manual" "$tmp/options" >"$tmp/out"
	[ -s "$tmp/manual" ] && [ ! -s "$tmp/out" ] &&
		grep -q '^\.BR -h ", " -? ", " --help$' "$tmp/manual"
	result $? "manual page of $called has every option"
	if command -v groff >/dev/null; then
		groff -man -Tutf8 -ww -z "$page" >"$tmp/out" 2>&1
		[ ! -s "$tmp/out" ]
		result $? "manual page of $called is well formed"
	else
		skip "manual page of $called is well formed" "no groff"
	fi
	PATH=$tmp:$PATH bash -c '. "$1"; COMP_WORDS=(n3stat $2 --); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		_n3stat; printf "%s\n" "${COMPREPLY[@]}"' - "$here/../n3stat/n3stat.bash" "$command" \
		>"$tmp/completed" 2>"$tmp/err"
	grep -Fxvf "$tmp/completed" "$tmp/options" >"$tmp/out"
	[ ! -s "$tmp/out" ] && [ ! -s "$tmp/err" ]
	result $? "completion of $called has every option"
done

# A letter has one meaning: perf's, if perf has the option.
for command in "" $commands; do
	# shellcheck disable=SC2046 # no command is no argument
	"$n3stat" $(echo "$command" | tr / ' ') --help | grep -Eo '^ +-[a-zA-Z], --[a-z-]+'
done | tr -d ' ' | sort -u >"$tmp/letters"
cut -d , -f 1 "$tmp/letters" | uniq -d >"$tmp/out"
[ ! -s "$tmp/out" ]
result $? "a letter stands for one option in all commands"
cut -d , -f 2 "$tmp/letters" | sort | uniq -d >"$tmp/out"
[ ! -s "$tmp/out" ]
result $? "an option has one letter in all commands"
for letter in -p,--pid -C,--cpu -o,--output -i,--input -s,--sort; do
	grep -Fqx -- "$letter" "$tmp/letters"
	result $? "perf's meaning: $letter"
done
! grep -q '^-I' "$tmp/letters"
result $? "no command has -I"

completes()
{
	bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _n3stat
		printf "%s\n" "${COMPREPLY[@]}"' - "$here/../n3stat/n3stat.bash" "$@" >"$tmp/out" 2>"$tmp/err"
}

# offers WORDS NAME ARGUMENT...: completion of the last argument offers these, in any order
offers()
{
	wanted=$1 name=$2
	shift 2
	PATH=$tmp:$PATH completes "$@"
	[ "$(sort "$tmp/out" | xargs)" = "$(echo "$wanted" | xargs -n 1 | sort | xargs)" ] &&
		[ ! -s "$tmp/err" ]
	result $? "completion offers $name"
}

offers tree "a command" n3stat tr
offers backend_mem_tlb_bound "a metric" n3stat explain backend_mem_t
for start in topdown_b Topdown_B; do
	offers topdown_backend "the file name of a group that begins with $start" n3stat -g $start
done
offers topdown_backend "a group after --group=" n3stat --group = topdown_b
made places --cpus 12 --nodes 2
numbers=$(seq 0 11 | xargs)
for option in --cpu -C; do
	offers "$numbers 0-11" "the numbers of CPUs after $option" n3stat -r "$made" $option ""
done
for option in --node -N; do
	offers "0 1 0-1" "the numbers of nodes after $option" n3stat -r "$made" $option ""
done
offers "0 1 0-1" "the numbers of nodes after --node=" n3stat --root = "$made" --node = ""
offers "1 10 11" "numbers that begin alike" n3stat -r "$made" -C 1
offers "0,3-1 0,3-10 0,3-11" "the end of a range in a list" n3stat -r "$made" tree -C 0,3-1
offers "3,10 3,11 3,1" "the next number of a list" n3stat -r "$made" top --cpu 3,1
offers "$numbers 0-11" "CPUs to selftest" n3stat selftest -r "$made" -C ""
offers "$numbers 0-11" "CPUs to spe record" n3stat spe record -r "$made" -C ""
offers "" "no letters as CPUs" n3stat -r "$made" -C a
kernel=$(ls -d /sys/devices/system/cpu/cpu[0-9]* | sed 's/.*cpu//' | sort -n)
last=$(echo "$kernel" | tail -n 1)
[ "$last" = 0 ] || kernel="$kernel 0-$last"
offers "$kernel" "the kernel's CPUs without the module's directory" n3stat -r "$tmp/nowhere" -C ""
offers "$(for cpu in $numbers; do echo "cpu$cpu"; done) node0 node1 system" "the existing places" \
	n3stat -r "$made" report --diff --place ""
run -r "$made" record -q -C 3 -o "$tmp/place.rec" 0.01 1
offers "cpu3" "the places of a recording" n3stat report --diff "$tmp/place.rec" \
	"$tmp/place.rec" --place ""
# Names in recordings and directories are never executed, and only offered if valid places.
mkdir -p "$tmp/evil"
cd "$tmp/evil" || exit 1
# shellcheck disable=SC2016 # as an attacker writes it
for bad in '$(touch${IFS}DONE1)x' '`touch${IFS}DONE2`' '*'; do
	sed "s/^places .*/places cpu0 node1 cpu0$bad $bad system/" "$tmp/place.rec" >evil.rec
	offers "cpu0 node1 system" "only valid places of a recording, not $bad" \
		n3stat report --diff evil.rec evil.rec --place ""
done
# shellcheck disable=SC2016
for bad in '$(touch${IFS}DONE3)' '`touch${IFS}DONE4`' x; do
	mkdir -p "er/cpu0$bad" er/cpu1 "er/node0$bad" er/node1
	offers "1" "no number of a CPU from a directory cpu0$bad" n3stat --root er --cpu ""
	offers "1" "no number of a node from a directory node0$bad" n3stat --root er --node ""
	offers "cpu1 node1" "no place from a directory cpu0$bad" n3stat --root er report --place ""
done
# shellcheck disable=SC2016
offers "info" "a command of spe after a word" n3stat spe '$(touch DONE5)' inf
find . -name 'DONE*' >"$tmp/out"
[ ! -s "$tmp/out" ]
result $? "completion executes nothing of recordings and directories"
cd - >/dev/null || exit 1
offers "tree top" "commands after --csv" n3stat --csv t
offers "mpki" "a group" n3stat -g mp
offers "inconsistent" "a word for explain" n3stat explain incons
offers "l2d_cache_refill l2d_cache_refill_rd l2d_cache_refill_wr l2d_cache_refill_prf" \
	"events for explain" n3stat explain L2D_cache_refill
offers "0x0017" "the code of an event for explain" n3stat explain 0x0017
offers "+ipc" "a metric after + of --sort" n3stat --sort +ip
offers "tree" "a command for help" n3stat help tr
offers "record report" "a command of spe for help" n3stat help spe re
offers "help" "the command help" n3stat he
offers "--json" "--json of tree" n3stat tree --js
offers "--json" "--json of doctor" n3stat doctor --js
offers "latency late loads" "the keys of spe report --sort" n3stat spe report --sort l
offers ipc,retiring,backend_mem_tlb_bound "the last name of a list" \
	n3stat -m ipc,retiring,backend_mem_t
offers "info profile record report" "the commands of spe" n3stat spe ""
offers --json "an option of spe info" n3stat spe info --j
offers --period "an option of spe record" n3stat spe record --peri
for option in --period --min-latency --aux-size --seconds; do
	offers "" "no words as numbers of $option" n3stat spe record $option ""
done
touch "$tmp/complete.data"
offers "$tmp/complete.data" "a file for spe report" n3stat spe report "$tmp/complete."
for command in "" "spe record" "spe report"; do
	# shellcheck disable=SC2086 # words
	offers $$ "the id of a running process after $command -p" n3stat $command -p $$
done
offers $$ "the id of a running process" n3stat --pid $$
offers $$ "the id of a process after --pid=" n3stat tree --pid = $$
cp "$(command -v sleep)" "$tmp/n3 sleep"
"$tmp/n3 sleep" 300 &
pid=$!
within 60 "n3 sleep" has_lines "/proc/$pid/comm" '^n3 sleep$'
completes n3stat --comm "n3 s"
stops
same "completion completes the name of a running process" 'n3\ sleep' "$(cat "$tmp/out")"
mkdir -p "$tmp/cgroups/system.slice/a.service" "$tmp/cgroups/user.slice"
export N3STAT_CGROUPS="$tmp/cgroups"
offers system.slice/ "a cgroup" n3stat --cgroup sys
offers system.slice/a.service/ "a cgroup below another" n3stat --cgroup system.slice/
# names as used by systemd, and arbitrary ones
mkdir -p "$tmp/cgroups/a\\x2db.slice/c;id" "$tmp/cgroups/b c" "$tmp/cgroups/"'$(id)'
# offers_quoted WANTED START: bash parses the completion of START as WANTED
offers_quoted()
{
	completes n3stat --cgroup "$2"
	bash -c "set -- $(cat "$tmp/out"); printf '%s|' \"\$@\"" >"$tmp/wrong" 2>"$tmp/err"
	same "completion quotes the cgroup $1 for the shell after $2" "$1|" "$(cat "$tmp/wrong")"
}
offers_quoted 'a\x2db.slice/' a
offers_quoted 'a\x2db.slice/' 'a\\x2'
offers_quoted 'a\x2db.slice/c;id/' 'a\\x2db.slice/'
offers_quoted 'b c/' b
offers_quoted 'b c/' 'b\ '
# shellcheck disable=SC2016
offers_quoted '$(id)/' '\$'
printf '#!/bin/sh\n' >"$tmp/n3-a-command"
chmod +x "$tmp/n3-a-command"
for command in record "spe record"; do
	# shellcheck disable=SC2086 # one word or two
	offers "n3-a-command" "a command after -- of $command" n3stat $command -- n3-a-c
	# shellcheck disable=SC2086
	offers "$tmp/complete.data" "a file after that of $command" n3stat $command -- cat "$tmp/complete."
done
offers node "the words of --per" n3stat --per no
status=0
for word in 0 1 2 3 4 5 6 7 offline disabled unplaced unsupported contended idle stale implausible \
	inconsistent undef; do
	grep -Eq "^\.(B|BR) $word\$" "$man/n3stat.1" || status=1
done
result $status "n3stat(1) has every exit code and every word reported instead of a value"
grep -rhoE --include='*.c' 'finding\(FINDING_[A-Z]*, "[a-z0-9_]+"' "$here/.." |
	sed 's/.*, "\(.*\)"/\1/' | sort -u >"$tmp/ids"
sed -n '/^\.SH FINDINGS/,/^\.SH SEE/s/^\.B //p' "$man/n3stat-doctor.1" "$man/n3stat-spe-info.1" |
	sort -u >"$tmp/listed"
[ "$(wc -l <"$tmp/ids")" -gt 50 ] && comm -23 "$tmp/ids" "$tmp/listed" >"$tmp/out" &&
	[ ! -s "$tmp/out" ]
result $? "manual pages have every id of a finding"
while read -r id; do
	grep -rq --include='*.c' --include=errors.def.h "\"$id\"" "$here/.." || echo "$id"
done <"$tmp/listed" >"$tmp/out"
[ ! -s "$tmp/out" ]
result $? "manual pages have only ids of findings"
# Each fix is that of a finding's id, or asked for by its id.
sed -n -e 's/^ADVICE_ROW(\([a-z0-9_]*\), doctor, FIX, .*/"\1"/p' \
	-e 's/^SPE_FIX(\([a-z0-9_]*\), .*/"\1"/p' \
	"$here/../reader/advice.def.h" "$here/../spe/n3spe/fixes.def.h" >"$tmp/fixes"
grep -rhoFf "$tmp/fixes" --include='*.c' "$here/../n3check" "$here/../spe/n3spe" "$here/../reader" |
	sort -u >"$tmp/used"
sort -u "$tmp/fixes" | diff - "$tmp/used" >"$tmp/out" && [ "$(wc -l <"$tmp/fixes")" -gt 40 ]
result $? "every fix in the table of advice is used, once"
python3 - "$here/../lib/errors.def.h" "$here/../libn3telemetry/errors.def.h" \
	"$here/../reader/errors.def.h" "$here/../spe/n3spe/errors.def.h" "$man/n3stat.1" \
	>"$tmp/out" 2>&1 <<'END'
import re, sys
*kinds, page = (open(name).read() for name in sys.argv[1:])
statuses = dict(OTHER=1, BAD_USAGE=2, NO_MODULE=3, NO_PLACE=4, NO_NAME=5, DENIED=6,
                NOT_EXECUTABLE=126, NO_COMMAND=127, SUCCESS=None)
error = re.compile(r'^ERROR\(\w+, "(\w+)", EXIT_(\w+),\s+"(.*?)"\)$', re.M | re.S)
wanted = [(id, statuses[status], " ".join(meaning.split()))
          for id, status, meaning in error.findall("".join(kinds))]
section = re.search(r"^\.SH ERRORS$(.*?)^\.SH ", page, re.M | re.S)[1]
entry = re.compile(r'^\.BR? (\w+)(?: " \((\d+)\)")?\n(.*)$', re.M)
listed = [(id, int(status) if status else None, meaning)
          for id, status, meaning in entry.findall(section)]
assert len(wanted) > 60 and len({id for id, _, _ in wanted}) == len(wanted)
wanted.sort(key=lambda kind: (kind[1] or 1000, kind[0].upper()))
assert wanted == listed, set(wanted) ^ set(listed)
END
result $? "n3stat(1) has every error with its exit status"
sed -n 's/^ERROR([A-Z_]*, "\([a-z_]*\)".*/\1/p' "$here/../lib/errors.def.h" \
	"$here/../libn3telemetry/errors.def.h" "$here/../reader/errors.def.h" \
	"$here/../spe/n3spe/errors.def.h" >"$tmp/ids"
# Assertions: the id in an argument of a helper, or as printed, [id]. Ids of findings may be the
# same.
grep -rhE --include='*.sh' --include='*.py' '^[^#]' "$here" "$here"/../*/tests \
	"$here"/../spe/*/tests "$here/../../selftests" |
	grep -v _finding |
	grep -oE -e '\<(refuses|rejects|denies) [^ ]+ "?[a-z_]+' \
		-e '\<(fails|advises) [^ ]+ [^ ]+ "?[a-z_]+' \
		-e '\<(has_message|is_json_error|has_id) "?[a-z_]+' -e '\\?\[[a-z_]+\\?\]' |
	grep -oE '[a-z_]+(\\?\])?$' | tr -d '\\]' | sort -u >"$tmp/asserted"
while read -r id; do
	grep -qx -- "$id" "$tmp/asserted" || echo "no test provokes $id"
done <"$tmp/ids" >"$tmp/out"
[ "$(wc -l <"$tmp/ids")" -gt 60 ] && [ ! -s "$tmp/out" ]
result $? "a test provokes every error"
run --version && grep -Eq '^n3stat [0-9.]+$' "$tmp/out" && mv "$tmp/out" "$tmp/version"
result $? "--version prints the version"
run version && cmp -s "$tmp/out" "$tmp/version"
result $? "n3stat version prints the same"

bash -c '. "$1"; complete -p n3stat n3top n3spe n3-exporter' - "$here/../n3stat/n3stat.bash" \
	>"$tmp/out" 2>"$tmp/err" &&
	[ "$(grep -c -- '-F _n3stat ' "$tmp/out")" -eq 4 ]
result $? "bash completes arguments of each program by this function"
