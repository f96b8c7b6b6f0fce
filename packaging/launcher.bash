# What ./facet of the sources and /usr/bin/facet of the package have in common: the commands that use
# Facet. Whoever reads this file says before:
#
#   self             path of the script
#   native           where bin, lib and demo are
#   log_folder       where the log of a daemon goes that was started in the background
#   own_commands     commands that only this script has, separated by spaces
#   prepare          a function that makes what is missing, or does nothing
#   daemon_command   a function: the array words becomes the command that is the daemon
#   cli_java         a function: the array words becomes the JVM of the command line, without main class
#   kube_java        a function: the same for the JVM of facet kube
#   own_help         a function that prints the help for own_commands
#
# shellcheck shell=bash
# shellcheck disable=SC2154 # the names above

launcher_commands="run up kube help"
cli_commands="demo status devices slices slice apply ps top events pool join cdi place sim doctor selftest rewrite down completion"

if [ -t 1 ] && [ -z "${NO_COLOR:-}" ] && [ "${TERM:-dumb}" != dumb ]; then
    bold=$'\e[1m' green=$'\e[32m' red=$'\e[31m' dim=$'\e[2m' plain=$'\e[0m'
else
    # shellcheck disable=SC2034 # not all of them are used here
    bold='' green='' red='' dim='' plain=''
fi

say() { printf 'facet: %s\n' "$*" >&2; }

fail() {
    say "$@"
    exit 1
}

# ---- the daemon

# Where its sockets are; the daemon and facet-run look in the same order.
runtime_directory() {
    if [ -n "${FACET_RUNTIME_DIR:-}" ]; then
        printf '%s' "$FACET_RUNTIME_DIR"
    elif [ "$(id -u)" -eq 0 ]; then
        printf '/run/facet'
    elif [ -n "${XDG_RUNTIME_DIR:-}" ]; then
        printf '%s/facet' "$XDG_RUNTIME_DIR"
    else
        printf '/tmp/facet-%s' "$(id -u)"
    fi
}

up_help() {
    cat << END
Usage: facet up [--foreground] [--quiet] [OPTIONS OF THE DAEMON]

Starts the daemon, which owns the devices of this machine, and returns when it is ready.

  --foreground       stay, and log to this terminal
  --quiet            print nothing when all goes well
  --gpu KIND         vendor, the machine's GPUs through their vendor's driver; software, the software
                     GPU; auto, the vendor's where there are some (auto)
  --vendor-libraries DIR  where the vendor's libcuda.so.1 and libnvidia-ml.so.1 are
  --vendor-root DIR  below which dev/nvidia* and proc/driver/nvidia are, for containers with the direct engine (/)
  --vendor-environment NAME=VALUE,...  what these find in their environment
  --devices N        number of software GPUs (1); or the memory of each, where they are not alike: 8G,4G;
                     0: none, slices have devices of a pool
  --memory SIZE      memory of each of them: 8G, 512M (half of the machine's)
  --profile VERSION  their compute capability, with the limits of a typical device: 7.5, 8.0, 8.9, 9.0 or
                     12.0 (8.9)
  --name NAME        name of the devices, as programs see it
  --isolation KIND   where kernels run, for slices without that setting: process, in a process of
                     the slice's own; shared, in the daemon; auto, process for containers and when
                     several users have slices (auto)
  --warm-workers N   processes kept ready for slices with isolation process (1)
  --worker-idle TIME how long such a process stays when no program uses it (30s)
  --share-code KIND  who finds code that was compiled for another: user, programs of one user's
                     'facet run'; slice, nobody; all, every slice (user)
  --no-sharing       do not divide compute: work runs in the order in which it comes
  --runtime-dir DIR  where its sockets are
  --state-dir DIR    where it keeps slices that stay when it is started again
  --admin-group GROUP  members may use the daemon too, not only its user and root
  --container-most memory=SIZE,compute=PERCENT,priority=N,devices=N,engine=direct
                     the most that a container gets, whatever it asks for; any of the five. engine=direct
                     lets those that ask for it have the vendor's driver: no boundary
  --pool-listen ADDRESS:PORT, --pool-token-file FILE, --pool-seed ADDRESS:PORT,..., --pool-name NAME
                     the pool that it is in; without the first three the one that it joined last
  --pool-most memory=SIZE,compute=PERCENT,priority=N,devices=N
                     the most that a slice of another machine gets; any of the four
  --http ADDRESS:PORT  where it listens for HTTP (127.0.0.1:7411); off: nowhere; port 0: any
  --token-file FILE, --tls-certificate FILE, --tls-key FILE
                     what HTTP needs at an address that other machines reach; see docs/api.md
  --debug            log more
  --log-format FORMAT  text; json: one object per line; journal: for systemd (text)

Examples:
  facet up
  facet up --devices 2 --memory 4G
  facet up --foreground --debug
END
}

# A daemon that was killed leaves its socket behind; one that lives takes connections.
daemon_runs() {
    [ -S "$1/control" ] && FACET_RUNTIME_DIR=$1 "$native/bin/facet-run" --ping
}

# A daemon that is not in the usual place has a log of its own: /tmp/x has facetd-tmp-x.log.
log_file() {
    local usual
    usual=$(FACET_RUNTIME_DIR='' runtime_directory)
    case $1 in
        "$usual" | "$log_folder") printf '%s/facetd.log' "$log_folder" ;;
        *) printf '%s/facetd%s.log' "$log_folder" "${1//\//-}" ;;
    esac
}

command_up() {
    local quiet='' foreground='' arguments=() directory log pid before words
    # A runtime directory that was named changes where slices are kept, so only those are passed on.
    directory=$(runtime_directory)
    while [ $# -gt 0 ]; do
        case $1 in
            --help | -h) up_help && return ;;
            --quiet | -q) quiet=1 ;;
            --foreground | -f) foreground=1 ;;
            --runtime-dir=*)
                directory=${1#*=}
                arguments+=(--runtime-dir "$directory")
                ;;
            --runtime-dir)
                [ $# -gt 1 ] || fail "--runtime-dir needs a value"
                directory=$2
                arguments+=(--runtime-dir "$directory")
                shift
                ;;
            *) arguments+=("$1") ;;
        esac
        shift
    done
    prepare
    # Threads come and go: each would leave memory in an arena of its own.
    export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}"
    if daemon_runs "$directory"; then
        [ -n "$quiet" ] || say "a daemon runs already in $directory; see 'facet status'"
        return
    fi
    daemon_command
    set -- "${words[@]}" "${arguments[@]}"
    if [ -n "$foreground" ]; then
        exec "$@"
    fi
    mkdir -p -m 700 "$log_folder"
    log=$(log_file "$directory")
    before=$(stat -c %s "$log" 2> /dev/null || echo 0)
    # The daemon keeps the file short; what the JVM itself has to say goes there too.
    setsid "${words[@]}" --log "$log" "${arguments[@]}" < /dev/null >> "$log" 2>&1 &
    pid=$!
    disown
    while ! daemon_runs "$directory"; do
        if ! kill -0 "$pid" 2> /dev/null; then
            tail -c "+$((before + 1))" "$log" | grep -v '^WARNING: Using incubator' | tail -n 5 >&2 || true
            fail "the daemon did not start; its log is $log"
        fi
        sleep 0.02
    done
    [ -n "$quiet" ] || say "the daemon runs in $directory; its log is $log"
}

# Programs start quickly: what is built is used as it is.
command_run() {
    if [ ! -x "$native/bin/facet-run" ]; then
        prepare
    fi
    exec "$native/bin/facet-run" --start-with "$self" "$@"
}

# Terminal and width are told to Java, which cannot see them. These commands are short: the JVM is
# to start quickly rather than to run fast.
command_cli() {
    local columns words more=()
    prepare
    if [ "$1" = demo ] && [[ " $* " != *' --help '* && " $* " != *' -h '* && " $* " != *' --runtime-dir'* ]]; then
        command_up --quiet
    fi
    export FACET_TERMINAL=0
    if [ -t 1 ]; then
        FACET_TERMINAL=1
        columns=$(stty size 2> /dev/null < /dev/tty || true)
        if [ -n "$columns" ]; then
            export COLUMNS=${columns#* }
        fi
    fi
    read -ra more <<< "${FACET_JAVA_OPTS:-}"
    cli_java
    exec "${words[@]}" "${more[@]}" -Dfacet.script.commands="$launcher_commands $own_commands" \
        -Dfacet.native="$native" facet.cli.Main "$@"
}

# What runs in a cluster runs for long: it has a JVM of its own.
command_kube() {
    local words more=()
    prepare
    read -ra more <<< "${FACET_JAVA_OPTS:-}"
    kube_java
    exec "${words[@]}" "${more[@]}" facet.kube.cli.FacetKube "$@"
}

help_text() {
    cat << END
${bold}facet${plain}: every container its own slice of a GPU

Usage: facet COMMAND [ARGUMENTS]

${bold}Use it${plain}
  demo               run CUDA programs side by side on a software GPU
  run PROGRAM        run a CUDA program, unchanged, with a slice of a GPU
  up, down, status   start, stop and look at the daemon, which owns the devices
  devices, slices    list the devices; list the slices and their limits
  slice create|set|list|delete
                     slices that stay; changed while their programs run
  apply -f FILE      make the slices match a file
  ps                 programs that use a device
  top                devices, slices and programs, live
  events [--follow]  what happened: slices, programs, faults, what was refused
  pool init|join|status|drain|leave, join ADDRESS
                     use GPUs of other machines, and lend this one's
  cdi                print the CDI file by which container engines know the devices
  place explain      why a slice is on its devices, or why another fits on none
  sim --trace DIR    try policies of placing on the trace of a cluster; needs no daemon
  kube COMMAND       slices for pods of Kubernetes: install, scheduler, extender, webhook, top, doctor
  doctor             look at what Facet needs on this machine, and say what to do
  selftest           try what Facet promises on the devices that are there, in about a minute
  rewrite FILE.ptx   print PTX whose launches can be executed in parts
  completion         print a completion script for bash and zsh
  help               this text

END
    own_help
    cat << END
${bold}Examples${plain}
  facet demo
  facet run --memory 1GiB ./vectorAdd
  facet slice create train --memory 4GiB --compute 60
  facet run --slice train ./train

'facet COMMAND --help' explains a command.

${bold}Environment${plain}
  FACET_RUNTIME_DIR  where the daemon has its sockets
  FACET_STATE_DIR    where the daemon keeps slices
  FACET_JAVA_OPTS    more options for the JVM, for example -Xmx4g
  NO_COLOR           when set, no colours

Exit codes: 0 done, 1 failed, 2 wrong usage.
END
}

# The command with the smallest edit distance to the word.
nearest_command() {
    local each
    for each in $launcher_commands $cli_commands $own_commands; do
        printf '%s\n' "$each"
    done | awk -v word="$1" '
        function least(a, b, c) { return a < b ? (a < c ? a : c) : (b < c ? b : c) }
        function distance(a, b,    i, j, d) {
            for (i = 0; i <= length(a); i++) d[i, 0] = i
            for (j = 0; j <= length(b); j++) d[0, j] = j
            for (i = 1; i <= length(a); i++)
                for (j = 1; j <= length(b); j++)
                    d[i, j] = least(d[i - 1, j] + 1, d[i, j - 1] + 1,
                        d[i - 1, j - 1] + (substr(a, i, 1) != substr(b, j, 1)))
            return d[length(a), length(b)]
        }
        { d = distance(word, $0); if (NR == 1 || d < best) { best = d; name = $0 } }
        END { print name }'
}

# use_command COMMAND ARGUMENTS: what is no command of the script's own.
use_command() {
    local command=$1
    shift
    case $command in
        run) command_run "$@" ;;
        up) command_up "$@" ;;
        kube) command_kube "$@" ;;
        --version | -V) command_cli --version ;;
        manual) command_cli manual "$@" ;; # not listed: the package is made with it
        help | --help | -h) help_text ;;
        *)
            if [[ " $cli_commands " == *" $command "* ]]; then
                command_cli "$command" "$@"
            else
                say "there is no command '$command'. Did you mean '$(nearest_command "$command")'?"
                say "'facet help' lists the commands."
                exit 2
            fi
            ;;
    esac
}
