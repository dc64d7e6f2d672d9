# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh set the rest
# Completion in zsh and fish, which ask bash's; docs_test.sh has the words themselves.

made completion --cpus 2
# as installed
share=$tmp/share
mkdir -p "$share/bash-completion/completions" "$share/fish/vendor_completions.d" "$share/zsh/n3" \
	"$tmp/work/folder"
cp "$here/../n3stat/n3stat.bash" "$share/bash-completion/completions/n3stat"
cp "$here/../n3stat/n3stat.zsh" "$share/zsh/n3/_n3stat"
cp "$here/../n3stat/n3stat.fish" "$share/fish/vendor_completions.d"
for program in n3top n3spe n3-exporter; do
	ln -s n3stat.fish "$share/fish/vendor_completions.d/$program.fish"
done
cp "$built/n3-exporter" "$tmp/"
mkdir -p "$tmp/cgroups/a\\x2db.slice"
touch "$tmp/work/one.rec"
cat >"$tmp/.zshrc" <<'END'
fpath=($SHARE/zsh/n3 $fpath)
autoload -Uz compinit && compinit -u -D
zle-line-init() {
	BUFFER=$LINE CURSOR=$#LINE
	zle complete-word
	print -r -- "$BUFFER" >$OUT
	exit
}
zle -N zle-line-init
END

# in_shell COMMAND...: with the programs of this test, in a folder with a recording
in_shell()
{
	(cd "$tmp/work" && PATH=$tmp:$PATH N3STAT_CGROUPS=$tmp/cgroups timeout 120 "$@") \
		>"$tmp/out" 2>"$tmp/err" </dev/null
}

# completed LINE: in $tmp/zsh and $tmp/fish, what TAB makes of a line with one completion
completed()
{
	: >"$tmp/zsh"
	SHARE=$share LINE=$1 OUT=$tmp/zsh ZDOTDIR=$tmp in_shell script -qec "zsh -i" /dev/null
	# shellcheck disable=SC2016 # fish expands
	LINE=$1 XDG_DATA_DIRS=$share:/usr/share in_shell fish \
		-c 'complete -C "$LINE"'
	cut -f 1 "$tmp/out" >"$tmp/fish"
}

if ! command -v zsh >/dev/null || ! command -v fish >/dev/null; then
	skip "completion in zsh and fish" "zsh or fish is not installed"
	return 0
fi
while IFS='|' read -r line end; do
	completed "$line"
	same "zsh: $line" "${line% *} $end" "$(sed 's/ $//' "$tmp/zsh")"
	same "fish: $line" "$(echo "$end" | sed 's/\\\\/\\/g')" "$(cat "$tmp/fish")"
done <<-END
	n3stat expl|explain
	n3stat explain backend_mem_t|backend_mem_tlb_bound
	n3stat tree --pi|--pid
	n3stat --group=topdown_b|--group=topdown_backend
	n3stat -m ipc,backend_mem_t|ipc,backend_mem_tlb_bound
	n3stat -r $made --node 0,|0,0
	n3stat report on|one.rec
	n3stat report --output=on|--output=one.rec
	n3stat doctor --root fol|folder/
	n3stat record -- n3stat-rec|n3stat-record
	n3stat --cgroup a|a\\\\x2db.slice/
	n3top --so|--sort
	n3spe rec|record
	n3spe record --sec|--seconds
	n3-exporter --per n|numa_node
END
# descriptions
LINE="n3stat tree --js" XDG_DATA_DIRS=$share:/usr/share in_shell fish -c 'complete -C "$LINE"'
same "fish: an option has its description" "one JSON object per interval" "$(cut -f 2 "$tmp/out")"
