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

# is_down: the last output has "up 0", and nothing else but the duration
is_down()
{
	grep -qx 'n3_telemetry_up 0' "$tmp/out" &&
		[ "$(grep -v '^#' "$tmp/out" | grep -cv '^n3_telemetry_\(up\|scrape_duration_seconds\) ')" -eq 0 ]
}

# --- series

selects 33 system ""
selects 46 numa_node ""
# CPU 1 has one series less
selects 130 cpu ""
# ipc; a metric in two groups
selects 35 system general
# numbers of fleet.rst
selects $((33 + 34)) system topdown_frontend,topdown_backend
selects 61 system mpki,branch_effectiveness
selects 61 system branch_effectiveness,MPKI
selects 33 system topdown_l1
selects 158 system all
selects 1128 cpu all
# the setting is 0, then absent
selects 33 system "" --errors ""
rm "$source/replicates"
selects 33 system "" --errors ""
echo 1 >"$source/replicates"
selects 33 system ""
selects 90 system "" --errors
selects 160 numa_node "" --errors
selects 579 cpu "" --errors
selects 215 system all --errors
: >"$source/system/counters/topdown_l1.replicates"
exports --once --errors && ! grep -Eq '^n3_telemetry_(slots|slices)_total' "$tmp/out" &&
	grep -q '^n3_telemetry_cycles_total ' "$tmp/out"
result $? "--errors: without replicates, their series are absent"
printf 'r7_slices_total many\n' >"$source/system/counters/topdown_l1.replicates"
rejects 1 malformed_file "--errors refuses a malformed number" --once --errors
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
printf 'withdrawals many\n' >>"$source/system/status"
rejects 1 malformed_file "refuses a malformed number of withdrawals" --once
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

rejects 1 "too_many_series 33 .*32" "--max-series refuses one series more, with the number" \
	--once --max-series 32
is_down
result $? "too many series: up is 0"
exports --once --max-series 33
result $? "--max-series allows that many series"
rejects 1 "too_many_series 1128 " "--max-series counts all series" --once --per cpu \
	--groups all --max-series 100
sed 's/^slots_total .*/slots_total offline/' "$source/system/counters/topdown_l1" >"$tmp/odd"
for value in offline -1 1.5 1e3 '' 1x 99999999999999999999999999999999999999999; do
	printf 'slots_total %s\n' "$value" >"$source/system/counters/topdown_l1"
	rejects 1 malformed_file "refuses '$value' as a total" --once
done
is_down
result $? "a malformed file: up is 0"
: >"$source/system/counters/topdown_l1"
exports --once && ! grep -q slots_total "$tmp/out" &&
	grep -q '^n3_telemetry_cycles_total ' "$tmp/out"
result $? "an empty file has no series"
rm -r "$source/system/counters"
exports --once && [ "$(grep -vc '^#' "$tmp/out")" -eq 19 ] &&
	grep -qx 'n3_telemetry_up 1' "$tmp/out"
result $? "a module without totals has the other series"
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
grep -Eo -- '--[a-z-]+[a-z]' "$tmp/out" | sort -u | while read -r option; do
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
"$exporter" --help | grep -Eo -- '--[a-z-]+[a-z]' | sort -u | xargs >"$tmp/options"
completes "$(cat "$tmp/options")" --

# --- textfile

# textfile ARGUMENT...: runs it in the background, as $pid
textfile()
{
	: >"$tmp/err"
	"$exporter" --source "$source" --textfile "$tmp/dir/n3.prom" "$@" >"$tmp/out" 2>"$tmp/err" &
	pid=$!
}

mkdir "$tmp/dir"
(umask 0; exports --once --textfile "$tmp/dir/n3.prom") && [ ! -s "$tmp/out" ] &&
	[ "$("$here/series.py" check 8 2 system "" <"$tmp/dir/n3.prom" 2>"$tmp/err")" = 33 ]
result $? "--once --textfile writes the series"
same "the file has mode 0640 whatever the umask" 640 "$(stat -c %a "$tmp/dir/n3.prom")"
(umask 0777; exports --once --textfile "$tmp/dir/n3.prom")
same "the file has mode 0640 whatever the umask, with 0777" 640 "$(stat -c %a "$tmp/dir/n3.prom")"
exec 7<"$tmp/dir/n3.prom"
rm -r "$source/system/counters"
exports --once --textfile "$tmp/dir/n3.prom" && ! grep -q slots_total "$tmp/dir/n3.prom" &&
	[ "$("$here/series.py" check 8 2 system "" <&7 2>"$tmp/err")" = 33 ]
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
result $? "when the module goes, the file has up 0 alone"
cp -r "$source.gone" "$source.new" && mv "$source.new" "$source"
within 60 "up 1" has_lines "$tmp/dir/n3.prom" '^n3_telemetry_up 1$' &&
	"$here/series.py" check 8 2 system "" <"$tmp/dir/n3.prom" >"$tmp/out" 2>&1
result $? "when it is loaded again, the file has all series"
has_error no_directory
result $? "each error is reported once, not at each interval"
mv "$tmp/dir" "$tmp/dir.gone"
within 60 "a warning" has_lines "$tmp/err" '\[cannot_write\]$' && mv "$tmp/dir.gone" "$tmp/dir" &&
	rm "$tmp/dir/n3.prom" && within 60 "the file" has_lines "$tmp/dir/n3.prom" '^n3_telemetry_up 1$'
result $? "later, the file is written again when that is possible"
kill "$pid"
ends "$pid" && cp "$tmp/dir/n3.prom" "$tmp/out" && is_down &&
	[ "$(stat -c %a "$tmp/dir/n3.prom")" = 640 ]
result $? "SIGTERM ends it with status 0, and the file has up 0"
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

for test in replies idle activation gone age limit clients garbage; do
	clients $test "$exporter" "$source"
done
clients requests "$exporter" "$source" ${LONG:+1000000}
clients requests "$plain" "$source" ${LONG:+1000000}
made many --cpus 512 --nodes 4 --no-quality
"$here/series.py" make "$made" 512 4 || exit 1
# all CPUs with all series
cp "$made/cpu0/counters/topdown_l1" "$made/cpu1/counters/"
clients memory "$plain" "$made"
rm -rf "$made"

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
