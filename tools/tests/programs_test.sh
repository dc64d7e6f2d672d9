# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# Programs executed by n3stat: where they are found, and their libraries.

external="top record report spe doctor selftest"

for command in $external; do
	run "$command" --help && head -n 1 "$tmp/out" | grep -q "^Usage: n3stat $command "
	result $? "n3stat $command runs the program next to n3stat"
done

# --- a directory with only n3stat

alone=$tmp/alone
mkdir "$alone"
cp "$tmp/n3stat" "$alone/"
n3stat_was=$n3stat
n3stat=$alone/n3stat
missing=0
for command in $external; do
	[ ! -e "${LIBEXEC:-/nowhere}/n3stat-$command" ] || continue
	case $command in
	spe) package=n3spe ;;
	*) package='n3stat-tools' ;;
	esac
	refuses 127 not_installed "n3stat $command is refused where its program is absent" "$command"
	grep -qw "$package" "$tmp/err"
	result $? "n3stat $command: the error names the package"
	refuses 127 not_installed "n3stat help $command is refused, too" help "$command"
	refuses 127 not_installed "n3stat $command --json: the error is JSON, too" "$command" --json
	missing=$((missing + 1))
done
for command in tree list explain help; do
	run $command --help
	result $? "n3stat $command needs no other program"
done

# programs without links, as somebody copies them
for program in n3top n3rec n3check; do
	cp "$tmp/$program" "$alone/"
done
for command in $external; do
	[ "$command" != spe ] || continue
	run "$command" --help && head -n 1 "$tmp/out" | grep -q "^Usage: n3stat $command "
	result $? "n3stat $command finds its program next to n3stat without the link"
done
rm "$alone"/n3[trc]*

# foreign DIRECTORY: a program that must not be executed
foreign()
{
	mkdir -p "$1"
	for command in $external; do
		printf '#!/bin/sh\necho foreign\n' >"$1/n3stat-$command"
		chmod +x "$1/n3stat-$command"
	done
}

foreign "$tmp/foreign"
if [ $missing -gt 0 ]; then
	(
		cd "$tmp/foreign" &&
			PATH=$tmp/foreign:$PATH LIBEXEC=$tmp/foreign LIBEXECDIR=$tmp/foreign \
				N3STAT_EXEC_PATH=$tmp/foreign GIT_EXEC_PATH=$tmp/foreign \
				N3STAT_LIBEXEC=$tmp/foreign "$n3stat" report
	) >"$tmp/out" 2>"$tmp/err"
	[ $? -eq 127 ] && ! grep -q foreign "$tmp/out"
	result $? "a program in PATH, in the current directory or where a variable points is not executed"
else
	skip "a program in PATH, in the current directory or where a variable points is not executed" \
		"the programs are installed in $LIBEXEC"
fi

# --- next to n3stat

foreign "$alone"
run report && [ "$(cat "$tmp/out")" = foreign ]
result $? "the program next to n3stat is executed"
ln -s "$alone/n3stat" "$tmp/link"
"$tmp/link" report >"$tmp/out" 2>"$tmp/err" && [ "$(cat "$tmp/out")" = foreign ]
result $? "next to n3stat is where n3stat is, not a link to it"
chmod -x "$alone/n3stat-report"
refuses 126 not_executable "a program that may not be executed is reported" report
cp "$alone/n3stat-top" "$alone/n3stat-report"
cat >"$alone/n3stat-report" <<'END'
#!/bin/sh
printf '%s|' "$@"
END
chmod +x "$alone/n3stat-report"
run -r /somewhere report "a b" --json '' -- -x &&
	[ "$(cat "$tmp/out")" = "-r|/somewhere|a b|--json||--|-x|" ]
result $? "a program gets all arguments, options before the command first"
run help report && [ "$(cat "$tmp/out")" = "--help|" ]
result $? "help COMMAND is COMMAND --help"
printf '#!/bin/sh\nexit 42\n' >"$alone/n3stat-report"
run report
[ $? -eq 42 ]
result $? "the exit status is that of the program"
refuses 2 unknown_command "a mistyped command is not looked for as a program" repotr
n3stat=$n3stat_was

# --- libexec, in a new mount namespace

if [ -n "${LIBEXEC:-}" ] && [ $missing -gt 0 ] && unshare -rm true 2>/dev/null; then
	rm -f "$alone"/n3stat-*
	base=$LIBEXEC
	until [ -d "$base" ]; do
		base=${base%/*}
		[ -n "$base" ] || base=/
	done
	unshare -rm sh \
		-c 'mount -t tmpfs none "$1" && mkdir -p "$2" && cp "$3"/* "$2/" && exec "$4" report' - \
		"$base" "$LIBEXEC" "$tmp/foreign" "$alone/n3stat" >"$tmp/out" 2>"$tmp/err"
	same "a program in libexec is executed where none is next to n3stat" foreign "$(cat "$tmp/out")"
else
	skip "a program in libexec is executed where none is next to n3stat" "no mount namespace"
fi

# --- programs by their own names

"$tmp/n3spe" report --help >"$tmp/out" 2>"$tmp/err" &&
	head -n 1 "$tmp/out" | grep -q '^Usage: n3stat spe report '
result $? "n3spe report is n3stat spe report"
for program in n3rec n3check; do
	"$tmp/$program" --help >"$tmp/out" 2>"$tmp/err"
	[ $? -eq 2 ] && [ ! -s "$tmp/out" ] &&
		has_message unknown_command "$program is executed by n3stat"
	result $? "$program is not a command"
done
"$tmp/n3stat-doctor" --help >"$tmp/out" 2>"$tmp/err" &&
	head -n 1 "$tmp/out" | grep -q '^Usage: n3stat doctor '
result $? "n3stat-doctor is n3stat doctor"
"$tmp/n3spe" --help >"$tmp/out" 2>"$tmp/err" && grep -q '^  report  ' "$tmp/out"
result $? "n3spe --help lists its commands"
"$tmp/n3spe" repotr >"$tmp/out" 2>"$tmp/err"
[ $? -eq 2 ] && has_message unknown_command && grep -qw report "$tmp/err"
result $? "n3spe suggests a command"

# --- libraries

# needs PROGRAM LIBRARY...: it is linked to exactly these and the C library, libm included
needs()
{
	readelf -d "$plain/$1" | sed -n 's/.*(NEEDED).*\[lib\([^.]*\)\.so.*/\1/p' | grep -vx m |
		sort >"$tmp/out"
	shift
	printf '%s\n' c "$@" | sort | cmp -s - "$tmp/out"
}

plain=$(dirname "${N3STAT_PLAIN:-/nowhere/n3stat}")
if [ -e "$plain/n3stat" ] && readelf -d "$plain/n3stat" 2>/dev/null | grep -q NEEDED; then
	while read -r program libraries; do
		# shellcheck disable=SC2086 # words
		needs "$program" $libraries
		result $? "$program needs the C library and $libraries alone"
	done <<-END
		n3stat json-c
		n3top json-c ncursesw tinfo
		n3rec json-c z
		n3spe json-c dw elf lzma
		n3check json-c
		n3-exporter crypt gnutls json-c microhttpd yaml-0 z
	END
else
	skip "which libraries the programs need" "N3STAT_PLAIN is not set or static"
fi

# symbols TYPES FILE...: names of the symbols with these types of nm
symbols()
{
	types=$1
	shift
	nm "$@" 2>"$tmp/err" | sed -n "s/^.* [$types] //p" | sort -u
}

# calls_only FUNCTIONS FILE: its symbols, except those of the tools, match FUNCTIONS. Names such
# as __printf_chk are of a build with _FORTIFY_SOURCE, __isoc23_strtoul of newer standards.
calls_only()
{
	symbols TDBRVWC "$ARCHIVES"/*.a >"$tmp/tools"
	symbols Uwv "$2" >"$tmp/uses"
	grep -vxFf "$tmp/tools" "$tmp/uses" | sed -E 's/^__isoc[0-9]+_//; s/^__(.*)_chk$/\1/' |
		grep -vxE "$functions|$1" >"$tmp/out"
	[ -s "$tmp/uses" ] && [ ! -s "$tmp/out" ]
}

# functions that neither print nor exit, and use no global state
functions="mem(chr|cmp|cpy|mem|move|set)
|str(n?casecmp|n?cmp|n?cpy|n?len|r?chr|chrnul|c?spn|str|dup|ndup|error|verscmp)
|strsep|strto(d|l|ll|ul|ull|k_r)|v?snprintf|v?asprintf|sscanf
|qsort(_r)?|bsearch|free|[cm]alloc|realloc(array)?
|clock_gettime|getrlimit|getpid|sysconf|t(find|search|delete|destroy)
|fmin|fmax|pow|sqrt|floor|ceil|round|llround|ilogb|ldexp|__float(un)?tidf
|__ctype_(b|tolower|toupper)_loc|__errno_location|__stack_chk_(fail|guard)|_GLOBAL_OFFSET_TABLE_"
functions=$(echo "$functions" | tr -d '\n')

if [ -n "${ARCHIVES:-}" ]; then
	library=$ARCHIVES/libn3telemetry.a
	calls_only "" "$library"
	result $? "libn3telemetry neither prints nor exits"
	files='open|close|read|lseek|p?read(64)?|open64|lseek64|fstat(at|at64|64)?|stat(fs|fs64|64)?'
	calls_only "$files|access|readlink|(open|read|close)dir|readdir64|dirfd" "$ARCHIVES/lib/disk.o"
	result $? "lib/disk.c neither prints nor exits"
	objdump -d "$library" >"$tmp/code" 2>"$tmp/err"
	grep -E '[[:space:]](ud2|brk)([[:space:]]|$)' "$tmp/code" >"$tmp/out"
	[ -s "$tmp/code" ] && [ ! -s "$tmp/out" ]
	result $? "libn3telemetry has no traps"
	# all other functions of lib may exit or print
	symbols TDBR "$ARCHIVES/lib.a" |
		grep -vxE -e 'ERR_.*|access_error|disk_.*|free_names|sort_names|find_value|key_has' \
			-e 'cpu_(list_parse|number_behind|is_among)|monotonic_now|unix_now|sleep_until' \
			-e 'shell_quote|suggest_.*' >"$tmp/own"
	symbols U "$library" "$ARCHIVES/lib/disk.o" "$ARCHIVES/lib/suggest.o" >"$tmp/uses"
	grep -xFf "$tmp/own" "$tmp/uses" >"$tmp/out"
	[ -s "$tmp/own" ] && [ ! -s "$tmp/out" ]
	result $? "libn3telemetry uses no function of lib that exits"
	nm -f sysv "$library" | sed -n 's/.*| *\([^| ]*\)$/\1/p' | sort -u >"$tmp/sections"
	grep -E '^(\.s?data|\.s?bss|\.t(data|bss)|\*?COM)' "$tmp/sections" |
		grep -v '^\.data\.rel\.ro' >"$tmp/out"
	grep -q '^\.text' "$tmp/sections" && [ ! -s "$tmp/out" ]
	result $? "libn3telemetry has no variables"
else
	skip "dependencies of the libraries of the tools" "ARCHIVES is not set"
fi
