# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# fish completion for n3stat, n3top, n3spe and n3-exporter: asks n3stat.bash.

set -g __n3stat_bash (dirname (status filename))/../../bash-completion/completions/n3stat

function __n3stat_complete
    set -l word (commandline -ct | string unescape)
    set -l option (string match -r -- '^--[a-z.-]+=' "$word")
    set -l found (bash --norc -c '. "$1"; shift; _n3stat_print "$@"' - $__n3stat_bash \
        (commandline -opc) "$word")
    set -l path (string replace -r -- '^--[a-z.-]+=' '' "$word")
    switch "$found"
        case \tf
            printf "$option%s\n" (__fish_complete_path "$path")
        case \td
            printf "$option%s\n" (__fish_complete_directories "$path")
        case \tc
            complete -C "$word"
        case '*'
            string join \n -- $found
    end
end

for program in n3stat n3top n3spe n3-exporter
    complete -c $program -f -a '(__n3stat_complete)'
end
