# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# n3stat spe report, profile and decode, on recordings with known samples.
# on: test-long

export PYTHONDONTWRITEBYTECODE=1
spe=$tmp/spe
root=$spe/root
mkdir -p "$spe"
program=$spe/program
aarch64-linux-gnu-gcc -g -O1 -fno-inline -Wl,-q,--build-id -ffile-prefix-map="$here"=/src \
	-o "$program" "$here/spe_program.c" || exit 1

# report_of ARGUMENT...: complete JSON report of the recording
report_of()
{
	run spe report --symfs "$root" --json --top 100000 "$@" "$spe/a.n3spe"
}

# recounted NAME ARGUMENT...: compares the last output with the counts of check_spe.py
recounted()
{
	name=$1
	shift
	cp "$tmp/out" "$spe/report.json"
	"$here/check_spe.py" "$spe/truth.json" "$spe/report.json" "$program" "$@" \
		>"$tmp/out" 2>"$tmp/err"
	result $? "$name"
}

for seed in 1 2 3; do
	"$here/make_spe.py" "$spe/a.n3spe" "$spe/truth.json" "$program" --symfs "$root" \
		--seed $seed --records 6000 || exit 1
	report_of
	recounted "spe report: everything counted once more, seed $seed"
done
for key in latency loads mispredicted walks late peer; do
	report_of --sort $key
	recounted "spe report: --sort $key" --sort $key
done
report_of -C 1
recounted "spe report: --cpu 1" --cpu 1
report_of --pid 200
recounted "spe report: --pid 200" --pid 200
report_of -C 0,2-3
python3 - "$spe/truth.json" "$tmp/out" <<-'END' 2>"$tmp/err"
	import json, sys
	truth, report = (json.load(open(name)) for name in sys.argv[1:])
	want = sum(s["cpu"] != 1 for s in truth["samples"])
	got = report["recording"]
	assert got["records"] == want and got["excluded"] == len(truth["samples"]) - want, got
	END
result $? "spe report: --cpu 0,2-3 excludes other CPUs and reports their number"

# checked NAME SCRIPT ARGUMENT...: compares the report with the script's expectations
checked()
{
	name=$1 script=$2
	shift 2
	"$here/$script" "$@" >"$tmp/out" 2>"$tmp/err"
	result $? "spe report: $name"
}
for seed in 1 2 3; do
	checked "symbols at random in a program, seed $seed" spe_symbols_check.py elf "$n3stat" "$spe" \
		$seed
	checked "symbols at random in a kernel, seed $seed" spe_symbols_check.py kernel "$n3stat" "$spe" \
		$seed
	checked "numbers of threads used again, seed $seed" spe_tasks_check.py "$n3stat" "$spe" $seed
	checked "numbers of processes used again, seed $seed" \
		spe_tasks_check.py "$n3stat" "$spe" $seed --switches
	checked "several files of one path, seed $seed" spe_files_check.py "$n3stat" "$spe" $seed
	checked "cores of several makers, seed $seed" spe_cores_check.py "$n3stat" "$spe" $seed
done

run spe report --symfs "$root" --cpu 99 "$spe/a.n3spe" && has_message no_records
result $? "spe report: a warning without records of the CPUs"

# text and page match the JSON
run spe report --symfs "$root" --top 3 "$spe/a.n3spe"
cp "$tmp/out" "$spe/text"
run spe report --symfs "$root" --top 3 --json --page "$spe/page.html" "$spe/a.n3spe" &&
	python3 - "$tmp/out" "$spe/text" "$spe/page.html" <<-'END' 2>"$tmp/err"
	import html, json, re, sys
	report = json.load(open(sys.argv[1]))
	text = [line.split() for line in open(sys.argv[2])]
	page = open(sys.argv[3]).read()
	cells = [[html.unescape(c) for c in re.findall(r"<td[^>]*>([^<]*)</td>", row)]
	         for row in page.split("<tr>")]
	nr = 0
	assert report.pop("simulated") is False
	for key, rows in report.items():
	    if isinstance(rows, dict):
	        continue
	    for row in rows:
	        words = []
	        for column, value in row.items():
	            if column.endswith("_at_least"):
	                continue
	            number = f"{value:.2f}" if isinstance(value, float) else str(value)
	            shown = "-" if value is None else number
	            words.append((">= " if row.get(column + "_at_least") else "") + shown)
	        assert " ".join(words).split() in text, (key, words)
	        # names come first on the page
	        words.sort()
	        assert any(sorted(c for c in found if c) == words for found in cells), (key, words)
	        nr += 1
	assert nr > 30, nr
	assert "<script" not in page and "http" not in page.split("</style>")[1]
	END
result $? "spe report: text and page have the rows of the JSON"
[ "$(stat -c %a "$spe/page.html")" = 600 ] &&
	grep -q 'micro-operations, not instructions' "$spe/page.html"
result $? "spe report: the page is private and lists its limits"
echo old >"$spe/old.html"
chmod 644 "$spe/old.html"
run spe report --symfs "$root" --page "$spe/old.html" "$spe/a.n3spe" &&
	[ "$(stat -c %a "$spe/old.html")" = 600 ]
result $? "spe report: the page is private even if it replaces a public file"
grep -q 'micro-operations, not instructions' "$spe/text" &&
	grep -q '^recording is complete  *yes$' "$spe/text"
result $? "spe report: ends with its limits"
if command -v chromium >/dev/null; then
	browser --dump-dom "file://$spe/page.html" >"$tmp/dom"
	[ "$(grep -c '<h2>' "$tmp/dom")" -ge 14 ]
	result $? "spe report: a browser shows the page"
else
	skip "spe report: a browser shows the page" "no chromium"
fi

# the whole screens of a few records; make_few.py derives the numbers
"$here/make_few.py" "$spe/few.n3spe" "$spe/few" || exit 1
(cd "$spe" && run spe report --symfs "$spe/nothing" few.n3spe)
golden spe-report.txt "spe report: the whole report of ten records"
run spe profile --symfs "$spe/nothing" "$spe/few.n3spe"
golden spe-profile.txt "spe profile: the whole profile of ten records"
run spe decode "$spe/few"
golden spe-decode.txt "spe decode: the packets of three records"

# symbols: of another file of the same name, none, and --kallsyms
ffff=ffff8000
printf '%s10000000 T other_copy\n%s10000400 T other_lock\n' $ffff $ffff >"$spe/kallsyms"
report_of --kallsyms "$spe/kallsyms"
grep -q '"function": "other_lock"' "$tmp/out" && ! grep -q kernel_lock "$tmp/out"
result $? "spe report: --kallsyms replaces the recording's symbols"
sed -i 's/^[0-9a-f]*/0000000000000000/' "$spe/kallsyms"
refuses 1 "kernel_addresses_hidden $spe/kallsyms" \
	"spe report: a copy of /proc/kallsyms without addresses" \
	spe report --kallsyms "$spe/kallsyms" "$spe/a.n3spe"
run spe report --symfs "$spe/nothing" --json "$spe/a.n3spe" &&
	has_message binary_unreadable '' 2 && grep -q '0 no symbol\|\[no symbol\]' "$tmp/out"
result $? "spe report: without the programs, addresses and a warning for each"
python3 - "$here" "$spe/id.n3spe" "$program" <<-'END'
	import subprocess, sys
	sys.path[:0] = [sys.argv[1], sys.argv[1] + "/../../libspe/tests"]
	import spe_file as f, spe_packets as spe
	notes = subprocess.run(["readelf", "-n", sys.argv[3]], capture_output=True, text=True).stdout
	good = notes.split("Build ID: ")[1].split()[0]
	with f.Recording(sys.argv[2]) as r:
	    r.perf(0, 0, f.mmap2(5, 0x10000, 0x10000, 0, "/opt/prog", bytes.fromhex(good)),
	           f.mmap2(5, 0x100000, 0x10000, 0, "/opt/other", bytes(20)), f.switch_in(5, f.BASE, 0))
	    r.aux(0, spe.record(pc=0x10700, op=spe.OTHER, events=2, time=1) +
	          spe.record(pc=0x100700, op=spe.OTHER, events=2, time=2))
	    r.end()
	END
run spe report --symfs "$root" --json "$spe/id.n3spe" && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
	has_message binary_unreadable /opt/other && [ "$(grep -c '"function": "\[no' "$tmp/out")" -eq 1 ]
result $? "spe report: a file with another build ID is not used"

# invalid processes: no crash, and not attributed to a file or the kernel
python3 - "$here" "$spe" "$tmp/n3stat" <<-'END' >"$tmp/out" 2>"$tmp/err"
	import json, subprocess, sys
	sys.path[:0] = [sys.argv[1], sys.argv[1] + "/../../libspe/tests"]
	import spe_file as f, spe_packets as spe
	path, n3stat = sys.argv[2] + "/pids.n3spe", sys.argv[3]
	branch = spe.record(pc=0x10010, op=spe.COND_BRANCH, events=2, target=0x10020, time=10)
	def processes(pid, window, code):
	    with f.Recording(path) as r:
	        r.cpus([0])
	        r.perf(0, 0, f.mmap2(5, 0x10000, 0x1000, 0, "[vdso]"), f.switch_in(pid, f.BASE, 0))
	        r.aux(0, branch, pid=window)
	        r.end()
	    done = [subprocess.run([n3stat, "spe", *command, path], capture_output=True, text=True)
	            for command in (("report", "--json"), ("profile",))]
	    assert [d.returncode for d in done] == [0, code], (hex(pid), done)
	    return [row["process"] for row in json.loads(done[0].stdout)["processes"]]
	for pid in (0x7fffffff, 0x80000000, 0x80000001, 0x90000000, 0xfffffffe, 0xffffffff):
	    assert processes(pid, -1, 1) == ["[unknown]"], hex(pid)
	assert processes(5, -1, 0) == ["5"]
	# windows without a task: from the task switches
	assert processes(5, 0, 0) == ["5"]
	assert processes(5, 7, 1) == ["7"]
	END
result $? "spe report: invalid processes are unknown"

# names chosen by containers: no escape sequence may reach a terminal
python3 - "$here" "$spe" "$tmp/n3stat" <<-'END' >"$tmp/out" 2>"$tmp/err"
	import json, subprocess, sys
	sys.path[:0] = [sys.argv[1], sys.argv[1] + "/../../libspe/tests"]
	import spe_file as f, spe_packets as spe
	path, n3stat = sys.argv[2] + "/names.n3spe", sys.argv[3]
	def run(*command):
	    done = subprocess.run([n3stat, "spe", *command, path], capture_output=True)
	    text = (done.stdout + done.stderr).decode()
	    assert done.returncode == 0 and all(c >= " " or c == "\n" for c in text), done
	    assert not any("\x7f" <= c <= "\x9f" for c in text), done
	    return done.stdout.decode()
	with f.Recording(path, {"command": "a \x1b]0;b\x07 \x9b2J \u00e9"}) as r:
	    r.cpus([0])
	    r.perf(0, 0, f.comm(5, "c\x9b31m"), f.switch_in(5, f.BASE, 0),
	           f.mmap2(5, 0x10000, 0x1000, 0, "/opt/\x1b[2J\x85<b>&\"prog"))
	    r.aux(0, spe.record(pc=0x10010, op=spe.COND_BRANCH, events=2, target=0x10020, time=10))
	    r.end()
	assert "\u00e9" in run("report")
	json.loads(run("report", "--json"))
	run("profile")
	page = sys.argv[2] + "/names.html"
	run("report", "--page", page)
	assert "<b>&" not in open(page).read() and "&lt;b&gt;&amp;&quot;prog" in open(page).read()
	# the digits of a build id end with the line
	for line in ("abc abc", "a b", "0 0", "ab", "ab ", "zz /opt/prog", "abcdefg 0"):
	    with f.Recording(path) as r:
	        r.chunk(f.BUILD_IDS, line)
	        r.end()
	    run("report")
	END
result $? "spe report: names are shown as plain text"

# a child's name on one CPU is read before its fork on another
python3 - "$here" "$spe" "$tmp/n3stat" <<-'END' >"$tmp/out" 2>"$tmp/err"
	import itertools, json, subprocess, sys
	sys.path[:0] = [sys.argv[1], sys.argv[1] + "/../../libspe/tests"]
	import spe_file as f, spe_packets as spe
	path, n3stat = sys.argv[2] + "/order.n3spe", sys.argv[3]
	chunks = ([f.comm(5, "parent")], [f.fork(6, 5, f.BASE + 1)],
	          [f.comm(6, "child", exec_=True, time=f.BASE + 5)], [f.switch_in(6, f.BASE + 6, 0)])
	for order in itertools.permutations(range(4)):
	    with f.Recording(path) as r:
	        for i in order:
	            r.perf(i, i, *chunks[i])
	        r.aux(0, spe.record(pc=0x10010, op=spe.OTHER, events=2, time=10))
	        r.end()
	    done = subprocess.run([n3stat, "spe", "report", "--json", path],
	                          capture_output=True, check=True)
	    assert [row["process"] for row in json.loads(done.stdout)["processes"]] == ["6 child"], order
	END
result $? "spe report: last name of a process, for any order of CPUs"

# a lost record may be a switch: the process since the last one is unknown
python3 - "$here" "$spe" "$tmp/n3stat" <<-'END' >"$tmp/out" 2>"$tmp/err"
	import json, struct, subprocess, sys
	sys.path[:0] = [sys.argv[1], sys.argv[1] + "/../../libspe/tests"]
	import spe_file as f, spe_packets as spe
	path, n3stat = sys.argv[2] + "/lost.n3spe", sys.argv[3]
	def processes(*lost):
	    with f.Recording(path) as r:
	        r.cpus([0, 1])
	        r.perf(0, 0, f.switch_in(5, f.BASE + 1, 0), f.switch_in(6, f.BASE + 10, 0), *lost,
	               f.switch_in(7, f.BASE + 20, 0))
	        r.perf(1, 1, f.switch_in(8, f.BASE + 1, 1))
	        for cpu in (0, 1):
	            r.aux(cpu, b"".join(spe.record(pc=0x10010, op=spe.OTHER, events=2, time=at)
	                                for at in range(1, 31)), cpu=cpu)
	        r.end()
	    done = subprocess.run([n3stat, "spe", "report", "--json", path],
	                          capture_output=True, check=True)
	    return {row["process"]: row["records"] for row in json.loads(done.stdout)["processes"]}
	assert processes() == {"5": 9, "6": 10, "7": 11, "8": 30}
	lost = f.event(2, struct.pack("<QQ", 1, 3), time=f.BASE + 19, cpu=0)
	assert processes(lost) == {"5": 9, "[unknown]": 10, "7": 11, "8": 30}
	END
result $? "spe report: after lost records the process is unknown up to the next switch"

# a killed recorder: the file is valid up to its end, at any position
python3 - "$here" "$spe" "$tmp/n3stat" <<-'END' >"$tmp/out" 2>"$tmp/err"
	import json, subprocess, sys
	sys.path[:0] = [sys.argv[1], sys.argv[1] + "/../../libspe/tests"]
	import spe_file as f, spe_packets as spe
	path, n3stat = sys.argv[2] + "/cut.n3spe", sys.argv[3]
	with f.Recording(path) as r:
	    for chunk in range(3):
	        r.aux(0, b"".join(spe.record(pc=0x400000 + i, op=spe.OTHER, events=2, time=i)
	                          for i in range(5)))
	data = open(path, "rb").read()
	ends = []
	at = 8
	while at < len(data):
	    size = int.from_bytes(data[at + 8:at + 16], "little")
	    ends.append((at + 16 + size, data[at] == f.AUX))
	    at += 16 + size + -size % 8
	cuts = {*range(ends[0][0], len(data) + 1, 37), *(e + d for e, _ in ends for d in (-1, 0, 1))}
	for cut in sorted(cuts):
	    if not ends[0][0] <= cut <= len(data):
	        continue
	    open(path, "wb").write(data[:cut])
	    done = subprocess.run([n3stat, "spe", "report", "--json", path],
	                          capture_output=True, text=True)
	    want = 5 * sum(is_aux for end, is_aux in ends if end <= cut)
	    got = json.loads(done.stdout)
	    assert done.returncode == 0 and got["recording"]["records"] == want, (cut, want, done)
	    assert got["limits"]["complete"] == "no"
	    whole = any(end <= cut <= end + -end % 8 for end, _ in ends)
	    assert ("[incomplete_recording]" in done.stderr) == (not whole), (cut, done.stderr)
	END
result $? "spe report: a file truncated anywhere is valid up to there"

# damage between chunks, in headers, and missing bytes
python3 - "$here" "$spe" "$tmp/n3stat" <<-'END' >"$tmp/out" 2>"$tmp/err"
	import json, random, struct, subprocess, sys
	sys.path[:0] = [sys.argv[1], sys.argv[1] + "/../../libspe/tests"]
	import spe_file as f, spe_packets as spe
	path, n3stat = sys.argv[2] + "/damaged.n3spe", sys.argv[3]
	with f.Recording(path) as r:
	    at = []
	    for chunk in range(6):
	        r.file.flush()
	        at.append(r.file.tell())
	        r.aux(chunk, b"".join(spe.record(pc=0x400000 + i, op=spe.OTHER, events=2)
	                              for i in range(7)))
	    r.end()
	data = open(path, "rb").read()
	def records(changed, *options):
	    open(path, "wb").write(changed)
	    done = subprocess.run([n3stat, "spe", "report", "--json", *options, path],
	                          capture_output=True, text=True)
	    assert done.returncode == 0, done
	    return json.loads(done.stdout)["recording"]["records"], done.stderr
	assert records(data) == (42, "")
	for what in (b"\xff" * 16, b"\0" * 16, struct.pack("<IIQ", 3, 0, 1 << 40),
	             struct.pack("<IIQ", 3, 0, 1 << 25)):
	    changed = data[:at[2]] + what + data[at[2] + 16:]
	    nr, err = records(changed)
	    assert nr == 14 and "[incomplete_recording]" in err, (what, nr, err)
	    nr, err = records(changed, "--salvage")
	    assert nr == 35 and "bytes skipped" in err, (what, nr, err)
	for gone in (1, 3, 16, 200):
	    nr, err = records(data[:at[3] + 20] + data[at[3] + 20 + gone:], "--salvage")
	    assert 35 <= nr <= 42 - 2 * (gone > 64), (gone, nr, err)
	    assert "[damaged_data]" in err, err
	nr, err = records(data[:8] + b"\xff" * 40 + data[at[0]:], "--salvage")
	assert nr == 42, nr
	# random changes: no crash, no additional records
	rng = random.Random(1)
	for _ in range(60):
	    changed = bytearray(data)
	    for _ in range(rng.randrange(1, 8)):
	        changed[rng.randrange(8, len(changed))] = rng.getrandbits(8)
	    nr, _ = records(bytes(changed), "--salvage")
	    assert nr <= 42, nr
	END
result $? "spe report: --salvage finds chunks after damage"

# profile
"$here/make_branches.py" "$spe/b.n3spe" "$spe/profile.want" "$program" || exit 1
run spe profile --symfs "$root" "$spe/b.n3spe" &&
	LC_ALL=C sort "$tmp/out" | cmp - "$spe/profile.want" &&
	cp "$tmp/out" "$spe/profile" && [ "$(wc -l <"$tmp/err")" -eq 1 ]
result $? "spe profile: taken branches and straight runs"
run spe profile --symfs "$root" --program /opt/prog -o "$spe/profile2" "$spe/b.n3spe" &&
	cmp "$spe/profile" "$spe/profile2"
result $? "spe profile: --program and -o"
"$here/make_branches.py" "$spe/c.n3spe" "$spe/c.want" "$program" --no-previous || exit 1
run spe profile --symfs "$root" "$spe/c.n3spe" && LC_ALL=C sort "$tmp/out" | cmp - "$spe/c.want"
result $? "spe profile: only branches without previous targets"
refuses 5 "unknown_program /opt/none" "spe profile: an unknown program" \
	spe profile --symfs "$root" --program /opt/none "$spe/b.n3spe"

# 1,048,576 different branches are kept: 100 more, each from its own address to the same one
python3 - "$here" "$spe/many.n3spe" "$spe/other.n3spe" <<-'END'
	import sys
	sys.path[:0] = [sys.argv[1], sys.argv[1] + "/../../libspe/tests"]
	import spe_file as f, spe_packets as spe
	BASE, NR, BLOCK = 0xaaaa00000000, 1048576 + 100, 64 << 14
	def branches(path, nr, *build_id):
	    one = spe.record(pc=BASE, target=BASE, op=spe.BRANCH, events=spe.RETIRED, time=5)
	    data = bytearray(one * nr)
	    # bytes of the address in its packet
	    for byte in range(3):
	        data[1 + byte::64] = bytes(4 * i >> 8 * byte & 255 for i in range(nr))
	    with f.Recording(path) as r:
	        r.cpus([0])
	        r.perf(0, 0, f.comm(100, "prog"), f.mmap2(100, BASE, 0x1000000, 0, "/opt/prog", *build_id),
	               f.switch_in(100, f.BASE, 0))
	        for at in range(0, len(data), BLOCK):
	            r.aux(0, bytes(data[at:at + BLOCK]))
	        r.end()
	branches(sys.argv[2], NR)
	branches(sys.argv[3], 1, bytes(20))
	END
run spe profile --symfs "$spe/nothing" "$spe/many.n3spe" &&
	[ "$(grep -c '^B ' "$tmp/out")" -eq 1048576 ] &&
	has_message branches_dropped 'many.n3spe: 100 branches .* 1048576'
status=$?
: >"$tmp/out"
result $status "spe profile: a warning of branches that exceed the maximum"
# KiB of data, unlike -v without the code of libraries: the start takes up to 4000, the branches
# take more than 32000
# shellcheck disable=SC3045 # any sh here has -d
(ulimit -d 16000 && "$plain_n3stat" spe profile --symfs "$root" "$spe/many.n3spe" \
	>"$tmp/out" 2>"$tmp/err")
[ $? -eq 1 ] && [ ! -s "$tmp/out" ] && has_message out_of_memory
result $? "spe profile: too little memory for the branches"
refuses 1 "wrong_binary $root/opt/prog" "spe profile: a program with another build ID" \
	spe profile --symfs "$root" "$spe/other.n3spe"

# hot() is moved before the code that never runs
order_of()
{
	aarch64-linux-gnu-nm -n "$1" | awk '$3 ~ /^(hot|cold_[0-9]+)$/ { print $3 }'
}
bolt=$(ls /usr/lib/llvm-*/bin/perf2bolt 2>/dev/null | sort -V | tail -n 1)
if [ -n "$bolt" ]; then
	"$bolt" -p "$spe/profile" -pa -o "$spe/fdata" "$program" >"$tmp/out" 2>"$tmp/err" &&
		grep -q 'mismatching disassembled function contents: 0 ' "$tmp/out" "$tmp/err"
	result $? "spe profile: perf2bolt accepts it, without trace mismatches"
	"${bolt%perf2bolt}llvm-bolt" "$program" -o "$spe/moved" -data "$spe/fdata" \
		-reorder-functions=hfsort -reorder-blocks=ext-tsp >"$tmp/out" 2>"$tmp/err" &&
		[ "$(order_of "$program" | head -n 1)" = cold_11 ] &&
		[ "$(order_of "$spe/moved" | head -n 1)" = hot ] &&
		! grep -q 'stale' "$tmp/out" "$tmp/err"
	result $? "spe profile: llvm-bolt moves the hot function"
else
	skip "spe profile: perf2bolt takes it" "no bolt"
	skip "spe profile: llvm-bolt moves the hot function" "no bolt"
fi

# decode: compared with perf's output and with the encoder's own reading
python3 - "$here" "$spe" "$tmp/n3stat" <<-'END' >"$tmp/out" 2>"$tmp/err"
	import random, subprocess, sys
	sys.path[:0] = [sys.argv[1], sys.argv[1] + "/../../libspe/tests"]
	import spe_file as f, spe_packets as spe
	spe_dir, n3stat = sys.argv[2:]
	rng = random.Random(3)
	data = b"".join(spe.random_record(rng) for _ in range(3000))
	def decode(path, code=0):
	    done = subprocess.run([n3stat, "spe", "decode", path], capture_output=True, text=True)
	    assert done.returncode == code, done
	    return done.stdout.splitlines(), done.stderr
	def heads(found):
	    return [f".  {at:08x}:  " + data[at:at + length].hex(" ") for at, length, *_ in found]
	open(spe_dir + "/bare", "wb").write(data)
	bare, err = decode(spe_dir + "/bare")
	want = heads(spe.packets(data))
	assert not err and [line[:61].rstrip()[:len(w)] for line, w in zip(bare, want)] == want
	assert len(bare) == len(want)
	# windows cut at any position: the same packets
	with f.Recording(spe_dir + "/d.n3spe") as r:
	    at = 0
	    while at < len(data):
	        size = rng.choice((1, 5, 9, 64, 100, 5000))
	        r.aux(0, data[at:at + size])
	        at += size
	    r.end()
	texts = lambda lines: [line[13:] for line in lines if not line.endswith(" PAD")]
	cut, err = decode(spe_dir + "/d.n3spe")
	assert not err and texts(cut) == texts(bare)
	# missing bytes turn the start of a packet into bad bytes, with an exit code
	with f.Recording(spe_dir + "/g.n3spe") as r:
	    r.aux(0, data[:64 + 5])
	    r.aux(0, data[128:192], offset=128)
	    r.end()
	gap, err = decode(spe_dir + "/g.n3spe", 1)
	assert sum(line.endswith("Bad packet!") for line in gap) == 5 and "5 bad bytes" in err, (gap, err)
	END
result $? "spe decode: all packets, even if cut by windows"
if command -v perf >/dev/null; then
	(cd "$here/../../libspe/tests" && python3 -c '
import sys, perf_data
sys.stdout.buffer.write(perf_data.perf_data(open(sys.argv[1], "rb").read()))' "$spe/bare") \
		>"$spe/perf.data"
	perf report -D -i "$spe/perf.data" 2>"$tmp/err" | grep '^\.  [0-9a-f]\{8\}: ' >"$spe/perf.lines"
	run spe decode "$spe/bare"
	cp "$tmp/out" "$spe/ours"
	# details that perf 6.1 omits are at the end of a line; it does not know PBT
	python3 - "$spe/perf.lines" "$spe/ours" <<-'END' >"$tmp/out" 2>"$tmp/err"
		import sys
		perf, ours = ([line.rstrip() for line in open(name)] for name in sys.argv[1:])
		assert len(perf) == len(ours) > 20000, (len(perf), len(ours))
		same = 0
		for their, our in zip(perf, ours):
		    assert our.startswith(their) or " PBT " in our, (their, our)
		    same += our == their
		assert same > 0.7 * len(ours), same
		END
	result $? "spe decode: the lines of perf report -D"
else
	skip "spe decode: the lines of perf report -D" "no perf"
fi
printf 'N3SPE1\r\n\377\377\377\377' >"$spe/bad.n3spe"
run spe decode "$spe/bad.n3spe"
[ $? -eq 1 ] && [ ! -s "$tmp/out" ] && has_message incomplete_recording 'byte 8'
result $? "spe decode: a damaged file is an error"

# files other than recordings
: >"$spe/empty"
echo text >"$spe/other"
mkfifo "$spe/fifo"
for command in report profile; do
	refuses 1 not_a_recording "spe $command: another file" spe $command "$spe/other"
done
for command in report profile decode; do
	refuses 1 empty_recording "spe $command: an empty file" spe $command "$spe/empty"
	refuses 1 cannot_read "spe $command: no file" spe $command "$spe/none"
	refuses 1 cannot_read "spe $command: a directory" spe $command "$spe"
	refuses 1 cannot_read "spe $command: a fifo" spe $command "$spe/fifo"
	refuses 2 missing_argument "spe $command: without a file" spe $command
	refuses 2 too_many_arguments "spe $command: two files" spe $command a b
done
for bad in --sort=none --top=0 --top=1x --cpu=x --cpu=3-1 --pid=-1; do
	refuses 2 bad_value "spe report: $bad" spe report $bad "$spe/a.n3spe"
done
refuses 2 input_is_output "spe report: the page does not overwrite the recording" \
	spe report --page "$spe/a.n3spe" "$spe/a.n3spe"
refuses 2 input_is_output "spe profile: the profile does not overwrite the recording" \
	spe profile --symfs "$root" -o "$spe/b.n3spe" "$spe/b.n3spe"

# memory: 10 million records at random addresses in the long version
if [ -n "${N3STAT_PLAIN:-}" ]; then
	records=1000000
	[ -z "${LONG:-}" ] || records=10000000
	"$here/make_big.py" "$spe/big.n3spe" $records &&
		python3 - "$N3STAT_PLAIN" "$spe/big.n3spe" $records \
		<<-'END' >"$tmp/out" 2>"$tmp/err"
		import json, resource, subprocess, sys
		program, path, records = sys.argv[1:]
		out = subprocess.run([program, "spe", "report", "--json", path],
		                     capture_output=True, check=True).stdout
		report = json.loads(out)
		peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
		print(peak, "kB", report["limits"])
		assert report["recording"]["records"] == int(records) and peak < 64 << 10
		# hot addresses among random ones are found within the bound
		hot = {row["address"]: row["records"] for row in report["instructions"][:3]}
		for address, share in (("0x1000", 10), ("0x2000", 20), ("0x3000", 50)):
		    true = int(records) // share
		    error = report["limits"]["instructions_error"]
		    assert true - error <= hot[address] <= true, (address, hot, error)
		END
	result $? "spe report: $records records at random addresses in 64 MB, within the bound printed"
	rm -f "$spe/big.n3spe"
else
	skip "spe report: memory" "no program without sanitizers"
fi

# the same million records: one pass of n3stat, and perf, which synthesises samples first
if [ -n "${LONG:-}" ] && [ -n "${N3STAT_PLAIN:-}" ] && command -v perf >/dev/null; then
	python3 - "$here" "$spe" "$N3STAT_PLAIN" <<-'END' >"$tmp/out" 2>"$tmp/err"
		import os, subprocess, sys
		sys.path[:0] = [sys.argv[1], sys.argv[1] + "/../../libspe/tests"]
		import perf_data, spe_file as f, spe_packets as spe
		path, n3stat, records = sys.argv[2], sys.argv[3], 1000000
		events = spe.RETIRED | spe.L1D_ACCESS | spe.TLB_ACCESS
		data = bytearray(spe.record(pc=0, op=spe.LOAD, events=events, total=9, issue=3,
		                            translation=1, va=0, source=14, time=5) * records)
		for at in (*range(1, 4), *range(31, 36)):
		    data[at::64] = os.urandom(records)
		with f.Recording(path + "/ratio.n3spe") as recording:
		    recording.cpus([0])
		    for at in range(0, len(data), 64 * 100000):
		        recording.aux(0, bytes(data[at:at + 64 * 100000]))
		    recording.end()
		open(path + "/ratio.perf", "wb").write(perf_data.perf_data(bytes(data), memory=True))
		def usage(*command):
		    out = open(path + "/ratio.out", "w")
		    process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
		    _, status, used = os.wait4(process.pid, 0)
		    text = open(path + "/ratio.out").read()
		    assert status == 0, (command, text[-1000:])
		    return used.ru_utime + used.ru_stime, text
		ours, text = usage(n3stat, "spe", "report", path + "/ratio.n3spe")
		assert "1000000" in text
		theirs, text = usage("perf", "mem", "report", "--stdio", "-i", path + "/ratio.perf")
		assert "Samples: 1000K" in text, text[:1000]
		print(f"n3stat {ours:.2f} s, perf {theirs:.2f} s")
		assert theirs > 20 * ours, (ours, theirs)
		END
	result $? "spe report: a million records 20 times faster than perf mem report"
	rm -f "$spe"/ratio.*
else
	skip "spe report: 20 times faster than perf mem report" "LONG=1 and perf only"
fi

run spe report --symfs "$root" --json "$spe/a.n3spe" &&
	"$shared/check_keys.py" <"$tmp/out" 2>"$tmp/err"
result $? "spe report --json: keys without blanks, and simulated is false"
