# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154 # silicon.sh and lib.sh set the rest
# The report, as text and as JSON. Host name and addresses are replaced in everything that is
# copied.

# scrub - stdin without them: words that are the host's name, addresses of IP, MAC and the kernel
scrub() {
	awk -v host="$(hostname 2>/dev/null || cat /proc/sys/kernel/hostname)" '
	function replace(line, name,    out, at, before, after) {
		while (at = index(tolower(line), tolower(name))) {
			before = substr(line, at - 1, at > 1)
			after = substr(line, at + length(name), 1)
			out = out substr(line, 1, at - 1) \
				(before after ~ /[A-Za-z0-9_]/ ? substr(line, at, length(name)) : "HOST")
			line = substr(line, at + length(name))
		}
		return out line
	}
	BEGIN {
		short = host
		sub(/\..*/, "", short)
		named = length(short) > 1 && short !~ /^(localhost|\(none\)|linux)$/
		x = "[0-9A-Fa-f]"
		# of IPv6 and MAC
		colons = x "+:" x "*:[0-9A-Fa-f:]*"
		number = "[0-9][0-9]?[0-9]?"
		ip4 = number "\\." number "\\." number "\\." number
		kernel = "(0x)?" x x x x x x x x x x x x x "*"
	}
	{
		if (named) {
			$0 = replace($0, host)
			$0 = replace($0, short)
		}
		gsub(colons, "ADDRESS")
		gsub(ip4, "ADDRESS")
		gsub(kernel, "ADDRESS")
		print
	}'
}

# facts - "name<tab>value" of the machine
facts() {
	now
	{
		echo "report	silicon 1"
		echo "command	--core ${CORE:-n3} --minutes $MINUTES"
		echo "kernel	$(uname -r)"
		echo "kernel_version	$(uname -v)"
		echo "machine	$(cat /sys/class/dmi/id/sys_vendor /sys/class/dmi/id/product_name 2>/dev/null | xargs)"
		echo "cpus	$nr_cpus"
		echo "cpu	${CPU:-none}"
		echo "perf	$(perf --version 2>/dev/null)"
		echo "seconds	$((elapsed_ms / 1000))"
	} | scrub
	# as long as an address
	cat $CPU_DEVICES/cpu*/regs/identification/midr_el1 2>/dev/null | sort | uniq -c |
		sed 's/^ *\([0-9]*\) /midr	\1 x /'
}

# keep_status - files of the module, before it is unloaded
keep_status() {
	[ ! -x "${N3STAT:-}" ] || "$N3STAT" doctor > "$work/doctor" 2>&1
	for file in spec status "cpu${CPU:-0}/status"; do
		[ ! -r "$N3T/$file" ] || cat "$N3T/$file" > "$work/kept.$(echo "$file" | tr / _)"
	done
}

# kept - "name file" of the texts that are copied
kept() {
	for file in spec status "cpu${CPU:-0}_status"; do
		echo "$file $work/kept.$file"
	done
	echo "doctor $work/doctor"
	echo "log $work/kept.log"
}

write_report() {
	log_since "$log_begin" |
		grep -E "n3_telemetry|pmu|perf|PMU|$WARNINGS" | uniq -c |
		sed 's/^ *1 //' | tail -n 200 > "$work/kept.log"
	facts > "$work/facts"
	scrub < "$work/results" > "$work/scrubbed"
	text_report > "$work/report.txt"
	json_report > "$work/report.json"
	for name in report.txt report.json; do
		cp "$work/$name" "$OUT/$name.new" && mv "$OUT/$name.new" "$OUT/$name" ||
			echo "silicon.sh: cannot write $OUT/$name" >&2
	done
	echo "$OUT/report.txt: $(summary)" >&2
}

summary() {
	awk -F '\t' '{ n[$3]++ }
	END {
		printf "%d pass, %d fail, %d not run, %d facts\n", n["pass"], n["fail"],
			n["not_run"], n["info"]
	}' "$work/results"
}

text_report() {
	awk -F '\t' '{ printf "%-16s %s\n", $1, $2 }' "$work/facts"
	printf '\n%s\n\n' "$(summary)"
	awk -F '\t' '{
		line = sprintf("%-8s %-40s %s %s", $3 == "not_run" ? "not run" : $3,
			$1 ($1 == $2 ? "" : "." $2), $4, $5)
		sub(/ +$/, "", line)
		print line ($6 == "" ? "" : "  (" $6 ")")
	}' "$work/scrubbed"
	kept | while read -r name file; do
		[ -s "$file" ] || continue
		printf '\n%s:\n' "$name"
		scrub < "$file" | sed 's/^/    /'
	done
}

# JSON_AWK - quote(TEXT) in awk; backslashes in a replacement differ between awks
JSON_AWK='
function quote(text,    out, i, c) {
	gsub(/[\001-\037\177]/, " ", text)
	if (text !~ /["\\]/)
		return "\"" text "\""
	for (i = 1; i <= length(text); i++) {
		c = substr(text, i, 1)
		out = out (c == "\"" || c == "\\" ? "\\" : "") c
	}
	return "\"" out "\""
}
function field(name, value) { return quote(name) ":" value }
'
# as_json PROGRAM [FILE...] - awk over lines with tabs
as_json() {
	program=$1
	shift
	awk -F '\t' "$JSON_AWK$program" "$@"
}

json_report() {
	printf '{'
	as_json '{ printf "%s,\n", field($1, quote($2)) }' "$work/facts"
	printf '"results":['
	as_json '{
		printf "%s{%s,%s,%s,%s,%s,%s}", (NR > 1 ? ",\n" : ""), field("part", quote($1)),
			field("id", quote($2)), field("state", quote($3)), field("value", quote($4)),
			field("unit", quote($5)), field("detail", quote($6))
	}' "$work/scrubbed"
	printf '],\n"texts":{'
	kept | while read -r name file; do
		printf '%s"%s":[' "$sep" "$name"
		[ ! -s "$file" ] || scrub < "$file" |
			as_json '{ printf "%s%s", (NR > 1 ? ",\n" : ""), quote($0) }'
		printf ']'
		sep=',
'
	done
	printf '},\n"selftest":'
	[ -s "$work/selftest.json" ] && cat "$work/selftest.json" || echo null
	printf '}\n'
}
