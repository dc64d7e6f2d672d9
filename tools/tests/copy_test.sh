# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# The button of the documentation's blocks: what it copies.

# block TEXT WANTED: one more block of the page
block()
{
	printf '<div class="highlight"><pre>%s</pre></div>\n' "$1" >>"$tmp/copy.html"
	printf '%s\n' "$2" >>"$tmp/wanted"
}

cat >"$tmp/copy.html" <<END
<script>
Object.defineProperty(navigator, "clipboard",
	{ value: { writeText: async text => { document.body.append("<" + text + ">"); } } });
</script>
<script src="file://$(readlink -f "$here/../../Documentation/static/copy.js")"></script>
END
: >"$tmp/wanted"
block '# n3stat 1 3
means of 2 s
# n3stat tree
cpu0' 'n3stat 1 3
n3stat tree'
block '$ perf list' 'perf list'
block '# while true; do
    echo
done
output' 'while true; do
    echo
done'
block "# python3 -c 'import json
print(1)' |
	cat
1" "python3 -c 'import json
print(1)' |
	cat"
block '# make \
	all
built' 'make \
	all'
block 'window_ms = 5000
# comment' 'window_ms = 5000
# comment'
"$shared/browser.py" "$tmp/copy.html" \
	'document.querySelectorAll("button.copy").forEach(button => button.click())' >"$tmp/dom"
"$here/check_copied.py" "$tmp/dom" "$tmp/wanted" >"$tmp/out" 2>&1
result $? "a block is copied without prompts and output"
