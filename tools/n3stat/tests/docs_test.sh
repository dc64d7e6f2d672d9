# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# Help, manual pages and completion: there for all commands, and complete.

commands="tree top list explain record report spe spe/info spe/record spe/report spe/profile
	spe/decode doctor selftest"
man=$here/../man

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
	while read -r option; do
		[ "$option" = --usage ] || grep -q -- "$option" "$tmp/manual" || echo "$option"
	done <"$tmp/options" >"$tmp/out"
	[ -s "$tmp/manual" ] && [ ! -s "$tmp/out" ]
	result $? "manual page of $called has every option"
	if command -v groff >/dev/null; then
		groff -man -Tutf8 -ww -z "$page" >"$tmp/out" 2>&1
		[ ! -s "$tmp/out" ]
		result $? "manual page of $called is well formed"
	else
		skip "manual page of $called is well formed" "no groff"
	fi
	bash -c '. "$1"; COMP_WORDS=(n3stat $2 --); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		_n3stat; printf "%s\n" "${COMPREPLY[@]}"' - "$here/../n3stat.bash" "$command" \
		>"$tmp/completed" 2>"$tmp/err"
	grep -Fxvf "$tmp/completed" "$tmp/options" >"$tmp/out"
	[ ! -s "$tmp/out" ] && [ ! -s "$tmp/err" ]
	result $? "completion of $called has every option"
done

completes()
{
	bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _n3stat
		printf "%s\n" "${COMPREPLY[@]}"' - "$here/../n3stat.bash" "$@" >"$tmp/out" 2>"$tmp/err"
}

completes n3stat tr
[ "$(cat "$tmp/out")" = tree ]
result $? "completion completes a command"
PATH=$tmp:$PATH completes n3stat explain backend_mem_t
[ "$(cat "$tmp/out")" = backend_mem_tlb_bound ]
result $? "completion completes a metric"
for start in topdown_b Topdown_B; do
	PATH=$tmp:$PATH completes n3stat -g $start
	[ "$(cat "$tmp/out")" = topdown_backend ]
	result $? "completion completes a group that begins with $start as its file is called"
done
PATH=$tmp:$PATH completes n3stat --group = topdown_b
[ "$(cat "$tmp/out")" = topdown_backend ]
result $? "completion completes a group behind --group="
for option in --cpu -C --node -N; do
	completes n3stat $option ""
	[ "$(tr -d '\n' <"$tmp/out")" = "" ] && [ ! -s "$tmp/err" ]
	result $? "completion offers no commands as numbers of $option"
done
completes n3stat --node = ""
[ "$(tr -d '\n' <"$tmp/out")" = "" ] && [ ! -s "$tmp/err" ]
result $? "completion offers no commands as numbers of --node="
PATH=$tmp:$PATH completes n3stat -m ipc,retiring,backend_mem_t
[ "$(cat "$tmp/out")" = ipc,retiring,backend_mem_tlb_bound ]
result $? "completion completes the last name of a list"
completes n3stat spe ""
[ "$(sort "$tmp/out" | xargs)" = "decode info profile record report" ]
result $? "completion completes the commands of spe"
completes n3stat spe info --j
[ "$(cat "$tmp/out")" = --json ]
result $? "completion completes an option of spe info"
completes n3stat spe record --peri
[ "$(cat "$tmp/out")" = --period ]
result $? "completion completes an option of spe record"
for option in --period --min-latency -C -p -m; do
	completes n3stat spe record $option ""
	[ "$(tr -d '\n' <"$tmp/out")" = "" ] && [ ! -s "$tmp/err" ]
	result $? "completion offers no words as numbers of $option"
done
completes n3stat spe record --timestamps p
[ "$(cat "$tmp/out")" = physical ]
result $? "completion completes the words of --timestamps"
touch "$tmp/complete.spe"
completes n3stat spe report "$tmp/complete."
[ "$(cat "$tmp/out")" = "$tmp/complete.spe" ]
result $? "completion completes a file for spe report"
completes n3stat --pid $$
[ "$(cat "$tmp/out")" = $$ ]
result $? "completion completes the number of a process that runs"
completes n3stat tree --pid = $$
[ "$(cat "$tmp/out")" = $$ ]
result $? "completion completes the number of a process behind --pid="
cp "$(command -v sleep)" "$tmp/n3 sleep"
"$tmp/n3 sleep" 30 &
pid=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do
	[ "$(cat "/proc/$pid/comm")" = "n3 sleep" ] && break
	sleep 0.1
done
completes n3stat --comm "n3 s"
kill $pid
wait $pid 2>/dev/null
[ "$(cat "$tmp/out")" = 'n3\ sleep' ]
result $? "completion completes the name of a process that runs"
mkdir -p "$tmp/cgroups/system.slice/a.service" "$tmp/cgroups/user.slice"
N3STAT_CGROUPS=$tmp/cgroups completes n3stat --cgroup sys
[ "$(cat "$tmp/out")" = system.slice/ ]
result $? "completion completes a cgroup"
N3STAT_CGROUPS=$tmp/cgroups completes n3stat --cgroup system.slice/
[ "$(cat "$tmp/out")" = system.slice/a.service/ ]
result $? "completion completes a cgroup below another"
completes n3stat --per no
[ "$(cat "$tmp/out")" = node ]
result $? "completion completes the words of --per"
status=0
for code in 0 1 2 3 4 5 6 7; do
	grep -Eq "^\.(B|BR) $code\$" "$man/n3stat.1" || status=1
done
result $status "n3stat(1) has every exit code"
status=0
for word in offline disabled unplaced unsupported contended idle stale implausible inconsistent \
	undef; do
	grep -q "^\.B $word\$" "$man/n3stat.1" || status=1
done
result $status "n3stat(1) has every word that is reported instead of a value"
run --version && grep -Eq '^n3stat [0-9.]+$' "$tmp/out"
result $? "--version prints the version"
