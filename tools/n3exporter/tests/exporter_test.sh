# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3-exporter: series of each option, textfiles, HTTP.

exporter=$built/n3-exporter
plain=$(dirname "$plain_n3stat")/n3-exporter
man=$here/../../man/n3-exporter.1
made export --cpus 8 --nodes 2
source=$made
"$here/series.py" make "$source" 8 2 || exit 1

# exports ARGUMENT...: n3-exporter on that tree
exports()
{
	"$exporter" --source "$source" "$@" >"$tmp/out" 2>"$tmp/err"
}

# err_has ID...: these warnings and no others
err_has() { [ "$(sed -n 's/.*\[\(.*\)]$/\1/p' "$tmp/err" | xargs)" = "$*" ]; }

# has_error ID [REGEX]: one line on standard error
has_error()
{
	[ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -Eq -- "^n3-exporter: .*${2:-}.*\[$1\]\$" "$tmp/err"
}

# rejects CODE "ID [REGEX]" NAME ARGUMENT...: that exit status and this error
rejects()
{
	code=$1 id=${2%% *} regex=${2#"${2%% *}"} name=$3
	shift 3
	exports "$@"
	[ $? -eq "$code" ] && has_error "$id" "${regex# }"
	result $? "$name"
}

# selects NR PER GROUPS [--errors [KIND]]: exactly these series with these values, NR in all;
# KIND is that of the totals of Topdown_L1, by default replicates
selects()
{
	kind=${5-${4:+errors}}
	exports --once --per "$2" ${3:+--groups "$3"} ${4:+"$4"} && [ ! -s "$tmp/err" ] &&
		[ "$("$here/series.py" check 8 2 "$2" "$3" $kind <"$tmp/out" 2>"$tmp/err")" = "$1" ]
	result $? "--per $2${3:+ --groups $3}${4:+ $4}: $1 series and their values"
}

# names_of FILE: its families of series
names_of() { grep -v '^#' "$1" | sed 's/[{ ].*//' | sort | xargs; }

# is_down [NR]: the last output has "up 0", that number of unreadable files, and nothing else but
# the duration and the version
is_down()
{
	grep -qx 'n3_telemetry_up 0' "$tmp/out" &&
		grep -qx "n3_telemetry_files_unreadable ${1:-0}" "$tmp/out" &&
		[ "$(names_of "$tmp/out" | sed 's/n3_telemetry_//g')" = \
			"n3_exporter_build_info files_unreadable scrape_duration_seconds up" ]
}

# --- series

selects 34 system ""
selects 47 numa_node ""
# CPU 1 has one series less
selects 131 cpu ""
# ipc; a metric in two groups
selects 36 system general
# numbers of fleet.rst
selects $((34 + 34)) system topdown_frontend,topdown_backend
selects 62 system mpki,branch_effectiveness
selects 62 system branch_effectiveness,MPKI
selects 34 system topdown_l1
selects 159 system all
selects 1129 cpu all
# the setting is 0, then absent
selects 34 system "" --errors ""
rm "$source/replicates"
selects 34 system "" --errors ""
echo 1 >"$source/replicates"
selects 34 system ""
selects 91 system "" --errors
selects 161 numa_node "" --errors
selects 580 cpu "" --errors
selects 216 system all --errors
: >"$source/system/counters/topdown_l1.replicates"
exports --once --errors && ! grep -Eq '^n3_telemetry_(slots|slices)_total' "$tmp/out" &&
	grep -q '^n3_telemetry_cycles_total ' "$tmp/out"
result $? "--errors: without replicates, their series are absent"
"$here/series.py" make "$source" 8 2
exports --once && cp "$tmp/out" "$tmp/default" && exports --once --per system &&
	grep -v scrape_duration "$tmp/out" | diff - "$tmp/default" |
		grep -v scrape_duration | grep -q '^[<>] n3'
[ $? -eq 1 ]
result $? "the system by default"

python3 - "$here/../families.def.h" "$man" >"$tmp/out" 2>&1 <<'END'
import re, sys
table, page = (open(name).read() for name in sys.argv[1:])
wanted = re.findall(r'^FAMILY\(\w+, "(\w+)", "(\w+)", "(.*)"\)$', table, re.M)
listed = re.findall(r'^\.BR n3_telemetry_(\w+) " \((\w+)\)"\n(.*)$', page, re.M)
assert len(wanted) > 20 and wanted == listed, set(wanted) ^ set(listed)
END
result $? "n3-exporter(1) lists all families"

# trusts TRUSTED WITHDRAWN: CPU 3 with that number of withdrawn metrics, and the machine
trusts()
{
	printf 'state sampling\nbudget 6\nwithdrawn %s\n' "$2" >"$source/cpu3/status"
	sed -i "s/^withdrawn .*/withdrawn $2/" "$source/system/status"
	exports --once --per cpu && grep -qx "n3_telemetry_trusted{cpu=\"3\"} $1" "$tmp/out" &&
		[ "$(grep -cx 'n3_telemetry_trusted{cpu="[0-9]"} 1' "$tmp/out")" -eq $((7 + $1)) ]
	result $? "CPU with $2 withdrawn metrics: trusted $1"
	for per in system numa_node; do
		exports --once --per $per &&
			[ "$(grep '^n3_telemetry_trusted' "$tmp/out")" = "n3_telemetry_trusted $1" ]
		result $? "--per $per: CPU with $2 withdrawn metrics: trusted $1"
	done
}
trusts 0 4
trusts 0 10
trusts 1 0
sed -i '/^withdrawals /d' "$source/system/status"
exports --once && [ ! -s "$tmp/err" ] && grep -qx 'n3_telemetry_up 1' "$tmp/out" &&
	! grep -q '^n3_telemetry_withdrawals' "$tmp/out"
result $? "no series of withdrawals without their number"
sed -i '/^withdrawals /d; s/^budget .*/budget 0/' "$source/system/status"
exports --once && ! grep -q '^n3_telemetry_counters ' "$tmp/out"
result $? "no series of counters while no CPU is sampled"
rm "$source/system/status"
for per in system cpu; do
	exports --once --per $per && ! grep -Eq '^n3_telemetry_(trusted|cpus|counters)' "$tmp/out"
	result $? "--per $per: no series of the system's status without that file"
done
"$here/series.py" make "$source" 8 2

quotes=$(printf '%080d' 0 | tr 0 '"')
sed -i "s/^core .*/core $quotes$quotes/; s/^simulated .*/simulated $quotes/" "$source/spec"
sed -i "s/^switch .*/switch $quotes/; s/^version .*/version $quotes/" "$source/status"
exports --once && [ ! -s "$tmp/err" ] &&
	[ "$(sed -n 's/^n3_telemetry_info{\(.*\)} 1/\1/p' "$tmp/out" | tr -cd '\\' | wc -c)" -eq 320 ]
result $? "long labels are cut after 80 characters"
made export --cpus 8 --nodes 2
"$here/series.py" make "$source" 8 2

echo none >"$source/distrust"
exports --once && grep -qx 'n3_telemetry_distrusted_events 0' "$tmp/out"
result $? "no distrusted event"
"$here/series.py" make "$source" 8 2

# --- errors

rejects 1 "too_many_series 34 .*33" "--max-series refuses one series more, with the number" \
	--once --max-series 33
is_down
result $? "too many series: up is 0"
exports --once --max-series 34
result $? "--max-series allows that many series"
rejects 1 "too_many_series 1129 " "--max-series counts all series" --once --per cpu \
	--groups all --max-series 100
: >"$source/system/counters/topdown_l1"
exports --once && ! grep -q slots_total "$tmp/out" &&
	grep -q '^n3_telemetry_cycles_total ' "$tmp/out"
result $? "an empty file has no series"
rm -r "$source/system/counters"
exports --once && [ "$(grep -c '^n3_telemetry_' "$tmp/out")" -eq 20 ] && [ ! -s "$tmp/err" ] &&
	grep -qx 'n3_telemetry_up 1' "$tmp/out"
result $? "a module without totals has the other series"
"$here/series.py" make "$source" 8 2

# --- unreadable files

sed -i 's/^withdrawn .*/withdrawn 4/' "$source/system/status"
echo 1 >"$source/replicates"
cp -r "$source" "$tmp/intact"
# the user nobody may lack access to the build directory
cp "$exporter" "$tmp/n3-exporter"

# spoil KIND FILE
spoil()
{
	at=$source/$2
	case $1 in
	binary) printf '\177ELF\002\000\n\377 7\n' >"$at" ;;
	line) echo a=b >>"$at" ;;
	empty) : >"$at" ;;
	denied) chmod 0 "$at" ;;
	*) rm "$at" ;;
	esac
	case $1 in
	directory) mkdir "$at" ;;
	pipe) mkfifo "$at" ;;
	loop) ln -s "$at" "$at" ;;
	# its first byte is not mapped: EIO
	io) ln -s /proc/self/mem "$at" ;;
	esac
}

restore()
{
	rm -rf "$source"
	cp -r "$tmp/intact" "$source"
}

# series FILE: but those of the next two; labels of n3_telemetry_info come from two files
series()
{
	grep -Ev '^(#|n3_telemetry_(files_unreadable|scrape_duration_seconds) )' "$1" |
		sed 's/^n3_telemetry_info{.*}/n3_telemetry_info/'
}

# lacks ID FILE SERIES ARGUMENT...: these alone are absent, and one error names the file
lacks()
{
	id=$1 file=$2 gone=$3
	shift 3
	"$exporter" --source "$tmp/intact" --once "$@" >"$tmp/before"
	$as "$tmp/n3-exporter" --source "$source" --once "$@" >"$tmp/out" 2>"$tmp/err" &&
		has_error "$id" "/$file: " &&
		grep -qx 'n3_telemetry_files_unreadable 1' "$tmp/out" &&
		grep -Eq "^n3_telemetry_($gone)" "$tmp/before" &&
		series "$tmp/before" | grep -Ev "^n3_telemetry_($gone)" >"$tmp/wanted" &&
		series "$tmp/out" | diff "$tmp/wanted" - >>"$tmp/err"
}

# those behind topdown_l1 may be empty
cat >"$tmp/files" <<'END'
spec info
status sampler_cost_ratio
system/status cpus|trusted|withdrawals_total|counters
cpu3/status trusted\{cpu="3" --per cpu
distrust distrusted_events
system/counters/time (cpu_seconds|sampler_seconds|cycles)_total|start_time
node1/counters/time (cpu_seconds|sampler_seconds|cycles)_total\{.*numa_node="1" --per numa_node
system/counters/topdown_l1 (.*slots|ops_.*)_total
system/counters/mpki metric_ --groups mpki
node0/counters/topdown_l1.replicates (.*slots|ops_.*|slices)_total\{.*"0"} --errors --per numa_node
END
# unreadable ID KIND...: each file in turn
unreadable()
{
	id=$1
	shift
	for kind; do
		while read -r file gone options; do
			spoil "$kind" "$file"
			# shellcheck disable=SC2086 # words
			lacks "$id" "$file" "$gone" $options || break
			restore
			file=
		done <"$tmp/files"
		[ -z "$file" ]
		result $? "unreadable ($kind): the series of each file are absent, up is 1 ${file:+($file)}"
		restore
	done
}
as='' denied=''
[ "$(id -u)" -ne 0 ] || denied="setpriv --reuid=65534 --regid=65534 --clear-groups"
unreadable cannot_read directory pipe loop io
unreadable malformed_file binary line
as=$denied
unreadable permission_denied denied
as=''
sed -i '/topdown_l1/,$d' "$tmp/files"
unreadable malformed_file empty
for value in offline -1 1.5 1e3 '' 1x 99999999999999999999999999999999999999999; do
	echo "slots_total $value" >>"$source/system/counters/topdown_l1"
	lacks malformed_file system/counters/topdown_l1 '(.*slots|ops_.*)_total'
	result $? "'$value' is not a total"
	restore
done
while read -r file gone; do
	sed -i 's/^\(cost\|withdrawn\) .*/\1 some/' "$source/$file"
	lacks malformed_file "$file" "$gone" --per cpu
	result $? "$file: 'some' is not a number"
	restore
done <<'END'
status sampler_cost_ratio
cpu3/status trusted\{cpu="3"
END
exports --once && series "$tmp/out" >"$tmp/wanted"
spoil io replicates
exports --once --errors && has_error cannot_read replicates &&
	series "$tmp/out" | diff "$tmp/wanted" - >>"$tmp/err"
result $? "unreadable setting replicates: totals without replicates"
spoil directory spec && spoil directory status && exports --once &&
	err_has cannot_read cannot_read && grep -qx n3_telemetry_up\ 1 "$tmp/out" &&
	grep -q ^n3_telemetry_slots_total "$tmp/out"
result $? "a module of which both spec and status are unreadable is there"
restore
spoil io system/counters/time && spoil line system/counters/topdown_l1
exports --once --groups mpki && grep -qx n3_telemetry_up\ 1 "$tmp/out"
result $? "one file of totals is sufficient: up is 1"
rejects 1 malformed_file "no file of totals is readable: the last error" --once
is_down 2
result $? "no file of totals is readable: up is 0"
restore
chmod 0 "$source/spec" "$source/status" "$source"/*/counters/* "$source"/*/status
$denied "$tmp/n3-exporter" --source "$source" --once --per cpu >"$tmp/out" 2>"$tmp/err"
[ $? -eq 6 ] && has_error permission_denied && is_down 19
result $? "no permission: up is 0, and one error"
restore
"$here/series.py" make "$source" 8 2
rejects 3 no_directory "a source that does not exist is an error" --once --source "$tmp/nowhere"
is_down
result $? "a source that does not exist: up is 0"
mkdir "$tmp/any" && cp -r "$source/system" "$source/cpu0" "$tmp/any"
rejects 3 no_module "a directory that is not the module's is an error" --once --source "$tmp/any"
is_down
result $? "a directory that is not the module's: up is 0"
cp "$source/status" "$tmp/any"
exports --once --source "$tmp/any" && grep -qx 'n3_telemetry_up 1' "$tmp/out" &&
	! grep -q '^n3_telemetry_info' "$tmp/out"
result $? "no information without the file spec"
cp "$source/spec" "$tmp/any" && rm "$tmp/any/status"
exports --once --source "$tmp/any" && grep -q '^n3_telemetry_info{' "$tmp/out"
result $? "information without the file status"
# The files are removed one by one, the directory last.
gcc -Wall -Wextra -shared -fPIC -o "$tmp/vanish.so" "$here/vanish.c" || exit 1
cp -r "$source" "$tmp/vanishing"
VANISHING=$tmp/vanishing LD_PRELOAD=$tmp/vanish.so "$plain" --source "$tmp/vanishing" --once \
	>"$tmp/out" 2>"$tmp/err"
[ $? -eq 3 ] && has_error no_module && is_down
result $? "a module that is unloaded during a scrape is an error"
rejects 2 "bad_value node" "--per refuses another word" --per node
rejects 5 "unknown_group 'mpky'.* mpki[?]" "--groups names the nearest group" --groups general,mpky
rejects 5 unknown_group "--groups refuses an empty name" --groups general,
for number in 0 -1 x 1x 99999999999999999999 ''; do
	rejects 2 bad_value "--max-series refuses '$number'" --max-series "$number"
done
for address in 127.0.0.1 127.0.0.1: localhost:80 127.0.0.1:65536 127.0.0.1:-1 127.0.0.1:http \
	::1:80 '' 1.2.3:4:5 '[::1:80'; do
	rejects 2 bad_value "--listen refuses '$address'" --listen "$address"
done
rejects 2 conflicting_options "--listen excludes --once" --listen 127.0.0.1:0 --once
rejects 2 conflicting_options "--listen excludes --textfile" --listen 127.0.0.1:0 \
	--textfile "$tmp/a.prom"
for other in --once "--textfile $tmp/a.prom"; do
	# shellcheck disable=SC2086 # words
	rejects 2 conflicting_options "--web.config.file excludes ${other%% *}" $other \
		--web.config.file "$tmp/web.yml"
done
rejects 2 conflicting_options "--interval needs --textfile" --interval 1
rejects 2 conflicting_options "--interval excludes --once" --interval 1 --once \
	--textfile "$tmp/a.prom"
rejects 2 bad_value "--interval refuses 0" --interval 0 --textfile "$tmp/a.prom"
rejects 2 bad_option "refuses an unknown option" --lisen
rejects 2 too_many_arguments "refuses an argument" something
rejects 1 system_error "an address of no interface is an error" --listen 192.0.2.1:0
"$exporter" --version | grep -Eqx 'n3-exporter [0-9.]+'
result $? "--version prints the version"
"$exporter" --help >"$tmp/out" 2>"$tmp/err" && [ "$(wc -l <"$tmp/out")" -le 24 ] &&
	[ "$(wc -L <"$tmp/out")" -le 80 ]
result $? "the help fits a screen"
grep -Eo -- '--[a-z.-]+[a-z]' "$tmp/out" | sort -u | while read -r option; do
	sed 's/\\-/-/g' "$man" | grep -q -- "$option" || echo "$option"
done >"$tmp/missing"
[ ! -s "$tmp/missing" ]
result $? "n3-exporter(1) has every option"
groff -man -Tutf8 -ww -z "$man" >"$tmp/out" 2>&1
[ ! -s "$tmp/out" ]
result $? "n3-exporter(1) is well formed"

# --- system calls that it denies itself

"$(dirname "$plain_n3stat")/tests/confined" >"$tmp/out" 2>"$tmp/err"
[ $? -eq 0 ] && [ "$(awk '{ print $1, $3 }' "$tmp/out" | xargs)" = "perf_event_open 1 bpf 1 \
ptrace 1 process_vm_readv 1 process_vm_writev 1 getpid 0 getpid_arm 1 getpid_i386 1 getpid_x32 1" ]
result $? "its filter denies profiling, BPF, other processes and other architectures: EPERM"

# --- completion

# completes WORDS ARGUMENT...: completion of the last argument, in any order
completes()
{
	wanted=$1
	shift
	PATH=$(dirname "$exporter"):$tmp:$PATH bash -c '. "$1"; shift; COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1)); _n3stat; printf "%s\n" "${COMPREPLY[@]}"' - \
		"$here/../../n3stat/n3stat.bash" n3-exporter "$@" 2>"$tmp/err" |
		sort | xargs >"$tmp/out"
	[ "$(cat "$tmp/out")" = "$wanted" ] && [ ! -s "$tmp/err" ]
	result $? "completion of $*: $wanted"
}
completes "cpu numa_node system" --per ""
completes numa_node --per = nu
completes topdown_backend --groups topdown_b
completes mpki,all --groups mpki,al
completes "" --max-series ""
completes --web.listen-address --web.l
completes "" --web.listen-address = ""
touch "$tmp/web.yml"
completes "$tmp/web.yml" --web.config.file = "$tmp/we"
"$exporter" --help | grep -Eo -- '--[a-z.-]+[a-z]' | sort -u | xargs >"$tmp/options"
completes "$(cat "$tmp/options")" --

# --- textfile

# textfile ARGUMENT...: runs it in the background, as $pid
textfile()
{
	: >"$tmp/err"
	"$exporter" --source "$source" --textfile "$tmp/dir/n3.prom" "$@" >"$tmp/out" 2>>"$tmp/err" &
	pid=$!
}

mkdir "$tmp/dir"
(umask 0; exports --once --textfile "$tmp/dir/n3.prom") && [ ! -s "$tmp/out" ] &&
	[ "$("$here/series.py" check 8 2 system "" <"$tmp/dir/n3.prom" 2>"$tmp/err")" = 34 ]
result $? "--once --textfile writes the series"
same "the file has mode 0640 whatever the umask" 640 "$(stat -c %a "$tmp/dir/n3.prom")"
(umask 0777; exports --once --textfile "$tmp/dir/n3.prom")
same "the file has mode 0640 whatever the umask, with 0777" 640 "$(stat -c %a "$tmp/dir/n3.prom")"
exec 7<"$tmp/dir/n3.prom"
spoil pipe system/counters/time
exports --once --textfile "$tmp/dir/n3.prom" && has_error cannot_read counters/time &&
	grep -qx 'n3_telemetry_files_unreadable 1' "$tmp/dir/n3.prom"
result $? "--once --textfile: an unreadable file is reported"
rm -r "$source/system/counters"
exports --once --textfile "$tmp/dir/n3.prom" && ! grep -q slots_total "$tmp/dir/n3.prom" &&
	[ "$("$here/series.py" check 8 2 system "" <&7 2>"$tmp/err")" = 34 ]
result $? "a reader of the previous file still gets all of it"
exec 7<&-
same "no other file is left" n3.prom "$(ls "$tmp/dir")"
"$here/series.py" make "$source" 8 2
rejects 1 cannot_write "a directory that does not exist is an error" --once \
	--textfile "$tmp/none/n3.prom"
timeout 60 "$exporter" --source "$source" --textfile "$tmp/none/n3.prom" >"$tmp/out" 2>"$tmp/err"
[ $? -eq 1 ] && has_error cannot_write
result $? "a directory that does not exist is an error at the start"
mkdir "$tmp/dir/d.prom"
rejects 1 cannot_write "a file that is a directory is an error" --once --textfile "$tmp/dir/d.prom"
rmdir "$tmp/dir/d.prom"
same "no file is left after an error" n3.prom "$(ls "$tmp/dir")"
mkfifo "$tmp/dir/pipe"
rejects 1 cannot_write "a pipe is not replaced" --once --textfile "$tmp/dir/pipe"
ln -s n3.prom "$tmp/dir/link"
rejects 1 cannot_write "a symbolic link is not replaced" --once --textfile "$tmp/dir/link"
ln -s none "$tmp/dir/broken"
rejects 1 cannot_write "a link to nothing is not replaced" --once --textfile "$tmp/dir/broken"
[ -p "$tmp/dir/pipe" ] && [ -L "$tmp/dir/link" ] && [ -L "$tmp/dir/broken" ] &&
	[ ! -e "$tmp/dir/broken" ]
result $? "what is no regular file stays"
rm "$tmp/dir/pipe" "$tmp/dir/link" "$tmp/dir/broken"
if [ -w /dev/full ]; then
	# a file system without space for the series
	if mkdir "$tmp/full" && unshare -rm sh -c '
		mount -t tmpfs -o size=4k none "$1" && head -c 4096 /dev/zero >"$1/x"
		exec "$2" --source "$3" --once --textfile "$1/n3.prom"' - "$tmp/full" "$exporter" "$source" \
		>"$tmp/out" 2>"$tmp/err"; then
		false
	else
		has_error cannot_write
	fi
	result $? "a full file system is an error"
fi

rm -f "$tmp/dir/n3.prom"
textfile --interval 0.05
within 60 "the file" has_lines "$tmp/dir/n3.prom" '^n3_telemetry_up 1$'
result $? "--textfile writes the file"
mv "$source" "$source.gone"
within 60 "up 0" has_lines "$tmp/dir/n3.prom" '^n3_telemetry_up 0$' &&
	cp "$tmp/dir/n3.prom" "$tmp/out" && is_down
result $? "when the module goes, the file has up 0 and no totals"
cp -r "$source.gone" "$source.new" && mv "$source.new" "$source"
within 60 "up 1" has_lines "$tmp/dir/n3.prom" '^n3_telemetry_up 1$' &&
	"$here/series.py" check 8 2 system "" <"$tmp/dir/n3.prom" >"$tmp/out" 2>&1
result $? "when it is loaded again, the file has all series"
has_error no_directory
result $? "each error is reported once, not at each interval"
# file_has NR: it was written twice more, with that number of unreadable files
file_has()
{
	for i in 1 2; do
		written=$(stat -c %y "$tmp/dir/n3.prom")
		within 60 "the next file" is_newer "$written"
	done
	grep -qx 'n3_telemetry_up 1' "$tmp/dir/n3.prom" &&
		grep -qx "n3_telemetry_files_unreadable $1" "$tmp/dir/n3.prom"
}
is_newer() { [ "$(stat -c %y "$tmp/dir/n3.prom")" != "$1" ]; }
: >"$tmp/err"
time=system/counters/time
spoil directory $time && file_has 1 && err_has cannot_read
result $? "a file that is unreadable is reported once"
rmdir "$source/$time" && spoil binary $time && file_has 1 && err_has cannot_read malformed_file
result $? "another error of it is reported"
cp "$tmp/intact/$time" "$source/$time" && file_has 0 && spoil directory $time && file_has 1 &&
	err_has cannot_read malformed_file cannot_read
result $? "after it was readable it is reported again"
rmdir "$source/$time" && cp "$tmp/intact/$time" "$source/$time"
: >"$tmp/err"
mv "$tmp/dir" "$tmp/dir.gone"
within 60 "a warning" has_lines "$tmp/err" '\[cannot_write\]$' && mv "$tmp/dir.gone" "$tmp/dir" &&
	rm "$tmp/dir/n3.prom" && within 60 "the file" has_lines "$tmp/dir/n3.prom" '^n3_telemetry_up 1$'
result $? "later, the file is written again when that is possible"
kill -HUP "$pid" && rm "$tmp/dir/n3.prom" &&
	within 60 "the file" has_lines "$tmp/dir/n3.prom" '^n3_telemetry_up 1$'
result $? "SIGHUP does not end it"
kill "$pid"
ends "$pid" && grep -qx 'n3_telemetry_up 0' "$tmp/dir/n3.prom" &&
	[ "$(names_of "$tmp/dir/n3.prom")" = "n3_exporter_build_info n3_telemetry_up" ] &&
	[ "$(stat -c %a "$tmp/dir/n3.prom")" = 640 ]
result $? "SIGTERM ends it with status 0, and the file has up 0 alone"
textfile
within 60 "the file" has_lines "$tmp/dir/n3.prom" '^n3_telemetry_up 1$'
kill -INT "$pid"
ends "$pid"
result $? "SIGINT ends it during a long interval"
rm -rf "$source.gone"

# --- HTTP

# clients TEST PROGRAM TREE [COUNT]
clients()
{
	timeout 3600 "$here/http_clients.py" "$@" >"$tmp/out" 2>"$tmp/err"
	result $? "HTTP: $(sed -n "s/^def test_$1.*# //p" "$here/http_clients.py")${4:+: $4}"
}

for test in replies refused addresses process idle activation gone age limit clients garbage; do
	clients $test "$exporter" "$source"
done
clients requests "$exporter" "$source" ${LONG:+1000000}
clients requests "$plain" "$source" ${LONG:+1000000}
made many --cpus 512 --nodes 4 --no-quality
"$here/series.py" make "$made" 512 4 || exit 1
# all CPUs with all series
cp "$made/cpu0/counters/topdown_l1" "$made/cpu1/counters/"
clients memory "$plain" "$made"
clients gzip "$plain" "$made"
rm -rf "$made"

# falls_back CALL ERROR: it listens on IPv4 alone after that first error
falls_back()
{
	# that of the previous call has an address
	: >"$tmp/out"
	strace -qq -o "$tmp/trace" -e "inject=$1:error=$2:when=1" \
		"$plain" --source "$source" --listen :0 >"$tmp/out" 2>"$tmp/err" &
	pid=$!
	within 60 "the address" has_lines "$tmp/out" '^http://0\.0\.0\.0:[0-9]*/metrics$'
	result $? "without IPv6 it listens on IPv4: $1, $2"
	kill "$(pgrep -P "$pid")"
	wait "$pid"
}
falls_back socket EAFNOSUPPORT
falls_back bind EADDRNOTAVAIL

# --- Debian's Prometheus

for test in promtool node_exporter; do
	name=$(sed -n "s/^def test_$test.*# //p" "$here/prometheus.py")
	if [ -n "${PROMETHEUS:-}" ]; then
		timeout 600 "$here/prometheus.py" $test "$PROMETHEUS" "$exporter" "$source" \
			>"$tmp/out" 2>"$tmp/err"
		result $? "Prometheus: $name"
	else
		skip "Prometheus: $name" "PROMETHEUS is not set"
	fi
done
