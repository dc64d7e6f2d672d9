# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154 # silicon.sh and lib.sh set the rest
# The report, as text and as JSON. Host name and addresses are replaced in everything that is
# copied.

# scrub [FIELD] [ip4] - stdin without them: words that are the host's name, addresses of IPv6, MAC
# and the kernel; of IPv4 if asked, as versions of programs look alike. FIELD: only in that one
# of lines with tabs, as values have none.
scrub() {
	awk -v host="$(hostname 2>/dev/null || cat /proc/sys/kernel/hostname)" -v asked="$*" '
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
	function is_ip4(word,    part, i) {
		sub(/:[0-9]+$/, "", word)
		if (word !~ /^[0-9.]+$/ || split(word, part, ".") != 4)
			return 0
		for (i = 1; i <= 4; i++)
			if (part[i] == "" || part[i] > 255)
				return 0
		return 1
	}
	function is_address(word,    colons) {
		if (sub(/^0[xX]0*/, "", word))
			return word ~ /^[0-9A-Fa-f]+$/ && length(word) >= 12
		if (word ~ /^[Ff][Ff][Ff][Ff][0-9A-Fa-f]+$/)
			return length(word) == 16
		colons = gsub(/:/, ":", word)
		if (word ~ /::/)
			return word ~ /^[0-9A-Fa-f:.]+$/ && word ~ /[0-9A-Fa-f]/
		return word ~ /^[0-9A-Fa-f:]+$/ && (colons == 7 || colons == 5 && length(word) == 17)
	}
	# A name and a colon before, a full stop or a colon after an address are none of it.
	function hide(word, before,    name, rest) {
		while (word ~ /[.]$/ || (word ~ /:$/ && word !~ /::$/)) {
			rest = substr(word, length(word)) rest
			word = substr(word, 1, length(word) - 1)
		}
		if (match(word, /^[0-9A-Za-z_]*[G-Zg-z_][0-9A-Za-z_]*:+/)) {
			name = substr(word, 1, RLENGTH)
			word = substr(word, RLENGTH + 1)
		}
		if (is_address(word) || (ip4 && is_ip4(word) && before !~ /([Vv]ersion|ainted.*) $/))
			word = "ADDRESS"
		return name word rest
	}
	function clean(line,    out, word) {
		if (named)
			line = replace(replace(line, host), short)
		while (match(line, /[0-9A-Za-z_.:]+/)) {
			out = out substr(line, 1, RSTART - 1)
			word = substr(line, RSTART, RLENGTH)
			line = substr(line, RSTART + RLENGTH)
			out = out hide(word, out)
		}
		return out line
	}
	BEGIN {
		FS = OFS = "\t"
		field = asked + 0
		ip4 = asked ~ /ip4/
		short = host
		sub(/\..*/, "", short)
		named = length(short) > 1 && short !~ /^(localhost|\(none\)|linux)$/
	}
	{ cleaned = clean($field); $field = cleaned; print }'
}

# facts - "name<tab>value" of the machine
facts() {
	now
	{
		echo "report	silicon 1"
		echo "command	--core ${CORE:-n3} --minutes $MINUTES"
		echo "kernel	$(uname -r)"
		echo "kernel_version	$(uname -v)"
		echo "machine	$(cat /sys/class/dmi/id/sys_vendor /sys/class/dmi/id/product_name \
			/sys/firmware/devicetree/base/model 2>/dev/null | tr '\0' '\n' | xargs)"
		echo "cpus	$nr_cpus"
		echo "cpu	${CPU:-none}"
		echo "perf	$(perf --version 2>/dev/null || echo none)"
		echo "seconds	$((elapsed_ms / 1000))"
	} | scrub 2
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
		sed 's/^ *1 //; s/^ *\([0-9]*\) \(.*\)/\2 (\1 times)/' | tail -n 200 > "$work/kept.log"
	facts > "$work/facts"
	scrub 6 < "$work/results" > "$work/scrubbed"
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

# results_as_text CONDITION - of awk
results_as_text() {
	awk -F '\t' "$1"' {
		line = sprintf("%-8s %-40s %s %s", $3 == "not_run" ? "not run" : $3,
			$1 ($1 == $2 ? "" : "." $2), $4, $5)
		sub(/ +$/, "", line)
		print line ($6 == "" ? "" : "  (" $6 ")")
	}' "$work/scrubbed"
}

text_report() {
	awk -F '\t' '{ printf "%-16s %s\n", $1, $2 == "" ? "unknown" : $2 }' "$work/facts"
	printf '\n%s\n' "$(summary)"
	results_as_text '$3 == "fail"'
	printf '\nresult   part.id                                  value unit  (details)\n'
	results_as_text 1
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
