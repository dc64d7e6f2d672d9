# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2034,SC2154 # set in or for other files
# What the tests share; sourced by run.sh, which sets here.

n3stat=${N3STAT:-n3stat}
# it would mark what is compared
unset N3STAT_BASELINE
tree=$here/sysfs
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
chmod 755 "$tmp"
# nobody, who runs one of the tests, cannot see every build directory
cp "$(command -v "$n3stat")" "$tmp/n3stat" || exit 1
n3stat=$tmp/n3stat
count=0
failed=0
skipped=0
: >"$tmp/out"
: >"$tmp/err"

# result STATUS NAME: one TAP line, with the last output below a failure
result()
{
	count=$((count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $count - $2"
		return
	fi
	failed=$((failed + 1))
	echo "not ok $count - $2"
	sed 's/^/# /' "$tmp/out" "$tmp/err" | head -n 40
}

skip()
{
	count=$((count + 1))
	skipped=$((skipped + 1))
	echo "ok $count - $1 # SKIP $2"
}

run()
{
	"$n3stat" "$@" >"$tmp/out" 2>"$tmp/err"
}

# prints NAME ARGUMENT...: exit 0, nothing on stderr, stdout as given on stdin
prints()
{
	name=$1
	shift
	cat >"$tmp/expected"
	run "$@" && [ ! -s "$tmp/err" ] && cmp -s "$tmp/out" "$tmp/expected"
	result $? "$name"
}

# refuses CODE TEXT NAME ARGUMENT...: that exit code, one line with TEXT
refuses()
{
	code=$1 text=$2 name=$3
	shift 3
	run "$@"
	[ $? -eq "$code" ] && [ ! -s "$tmp/out" ] &&
		[ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -qF -- "$text" "$tmp/err"
	result $? "$name"
}

# one_group TEXT: a tree of one CPU with TEXT (for printf) as its topdown_l1
one_group()
{
	rm -rf "$tmp/one"
	mkdir -p "$tmp/one/cpu0"
	# shellcheck disable=SC2059
	printf "$1" >"$tmp/one/cpu0/topdown_l1"
}


# made NAME ARGUMENT...: $made is a tree newly made up by make_tree.py
made()
{
	made=$tmp/$1
	shift
	"$here/make_tree.py" "$made" "$@" || exit 1
}

# matches REGEX NAME: a line of the last output does
matches()
{
	grep -Eq -- "$1" "$tmp/out"
	result $? "$2"
}

# browser ARGUMENT...: headless Chromium with a new profile, no network needed
browser()
{
	timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-quic \
		--no-first-run --disable-background-networking --disable-component-update \
		--disable-sync --user-data-dir="$(mktemp -d "$tmp/profile.XXXXXX")" "$@" 2>/dev/null
}

# span FROM TO FILE: the page as a browser shows it with this span, in $tmp/dom
span()
{
	"$here/browser.py" "$3" "n3stat.choose(about.places[about.main], $1, $2)" >"$tmp/dom"
}
