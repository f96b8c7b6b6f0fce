# Gets what a machine lacks from the packages of its system, after a question. ./facet and .ci/run read this file
# after machine.bash. Where the system has its packages from stays as it is. Before, they say
#
#   state    a folder for packages.log, and for the file installing while packages are being installed
#   say      a function that prints a line
#   yes      when not empty, nobody is asked
#
# shellcheck shell=bash
# shellcheck disable=SC2154 # the names above

# set_up AGAIN KIND…: gets what is missing of these kinds. Ends the script where something of kind build cannot be
# had; the others may stay away. AGAIN is what to type for another try.
set_up() {
    local again=$1 lines packages
    shift
    wanted "$@"
    [ -n "$lines" ] || return 0
    if ! command -v apt-get > /dev/null; then
        tell_other_system
        go_on_without
        return
    fi
    choose_packages
    if has_lists && lacks_jdk; then
        tell_temurin
    fi
    if ! may_install; then
        go_on_without
        return
    fi
    say "installing; it takes a minute or two, and its log is ${state#"$root"/}/packages.log"
    install_packages "$@" || true
    wanted "$@"
    if must_stop; then
        choose_packages
        tail -n 12 "$state/packages.log" >&2 2> /dev/null || true
        say "this did not work; when it does, type $again again:"
        show_line "$(apt_line)"
        exit 1
    fi
}

# wanted KIND…: lines becomes those of missing that packages help.
wanted() {
    local half
    lines=$(missing "$@" | awk -F '|' '$3 != ""')
    half=$(unfinished)
    if [ -n "$half" ]; then
        lines+=${lines:+$'\n'}"build|unfinished|$half||what is half installed, because that was ended"
    fi
}

# The packages whose installation was ended before it was done. Their commands may be there already.
unfinished() {
    local each half=()
    if [ -e "$state/installing" ]; then
        for each in $(< "$state/installing"); do
            # shellcheck disable=SC2016 # dpkg's own name
            [ "$(dpkg-query --show --showformat '${db:Status-Status}' "$each" 2> /dev/null)" = installed ] || half+=("$each")
        done
    fi
    printf '%s' "${half[*]}"
}

must_stop() { [[ $'\n'$lines == *$'\n'build\|* ]]; }

go_on_without() {
    if must_stop; then
        say "when it is there, type $again again"
        exit 1
    fi
    say "going on without; what is left out for want of it is named at the end"
}

# ---- what is said

show_line() { printf '\n    %s\n\n' "$1" >&2; }

# show_needs COLUMN: 3 for Debian's packages, 4 for Fedora's.
show_needs() {
    local fields what who='Some tests need'
    ! must_stop || who='Facet needs'
    printf '%s what this machine does not have yet:\n\n' "$who" >&2
    while IFS='|' read -ra fields; do
        case ${fields[0]} in
            build | test) what=${fields[4]} ;;
            *) what=${fields[1]} ;;
        esac
        printf '    %-46s %s\n' "$what" "${fields[$1 - 1]}" >&2
    done <<< "$lines"
    printf '\n' >&2
}

# What somebody types who may be root by sudo, or is.
apt_line() {
    local sudo=''
    if [ "$(id -u)" -ne 0 ] && command -v sudo > /dev/null; then
        sudo='sudo '
    fi
    [ ! -e "$state/installing" ] || printf '%s' "${sudo}dpkg --configure -a; "
    printf '%s' "${sudo}apt-get update && ${sudo}apt-get install -y --no-install-recommends ${packages[*]}"
}

tell_other_system() {
    show_needs 4
    if command -v dnf > /dev/null; then
        say "the line for that, as root:"
        show_line "dnf install $(packages_of 4 <<< "$lines")"
    else
        say "there is no apt-get here; install them with the packages of your system. The right column has Fedora's names."
    fi
    if [[ $lines == *'|jdk|'* ]]; then
        say "a JDK $needed comes with this line too; ./facet finds it there:"
        show_line "$(temurin_line)"
    fi
}

# For systems that do not have that JDK, such as Debian 12. Nobody has to be root for it.
temurin_line() {
    printf '%s' "mkdir -p ~/.jdks && curl -fL https://api.adoptium.net/v3/binary/latest/$needed/ga/linux/x64/jdk/hotspot/normal/eclipse | tar xz -C ~/.jdks"
}

tell_temurin() {
    say "no JDK $needed or newer was found, and the packages of this system have none"
    packages=("${packages[@]:1}")
    command -v curl > /dev/null || packages+=(curl ca-certificates)
    if [ ${#packages[@]} -gt 0 ]; then
        say "what else is needed comes with this line; who is not root needs sudo:"
        show_line "$(apt_line)"
    fi
    say "this line fetches Temurin $needed to where ./facet finds it (another one: set JAVA_HOME):"
    show_line "$(temurin_line)"
    say "then type $again again"
    exit 1
}

is_terminal() { [ -t 0 ] && [ -t 2 ]; }

# Whether packages may be installed: somebody has said so, and somebody can.
may_install() {
    local answer
    show_needs 3
    if [ "$(id -u)" -ne 0 ] && ! command -v sudo > /dev/null; then
        say "you are not root, and there is no sudo: whoever is root types"
        show_line "$(apt_line)"
        return 1
    fi
    printf 'This line installs it:\n' >&2
    show_line "$(apt_line)"
    if [ -n "$yes" ]; then
        return
    fi
    if ! is_terminal; then
        say "there is no terminal to ask at; '$again --yes' runs that line without asking"
        return 1
    fi
    while true; do
        answer=n
        read -r -p 'Run it now? [Y/n] ' answer || printf '\n' >&2
        case $answer in
            '' | [Yy] | [Yy]es) return ;;
            [Nn] | [Nn]o) return 1 ;;
        esac
    done
}

# ---- what is done

# Whether apt knows any packages; a new machine may not have asked yet.
has_lists() { is_package base-files; }

is_package() { [ -n "$(apt-cache madison "$1" 2> /dev/null)" ]; }

# Whether apt has no JDK for us, where one is wanted.
lacks_jdk() { [[ $lines == *'|jdk|'* ]] && ! is_package "${packages[0]}"; }

# Of a/b in the lines the first that there is stays, and the array packages becomes what all lines want.
choose_packages() {
    local each name
    for each in $(packages_of 3 <<< "$lines"); do
        for name in ${each//\// }; do
            if [[ $each == */* ]] && is_package "$name"; then
                break
            fi
            name=${each%%/*}
        done
        lines=${lines/"$each"/"$name"}
    done
    # Each once: those of an installation that was ended come again.
    mapfile -t packages < <(packages_of 3 <<< "$lines" | tr ' ' '\n' | awk '!seen[$0]++')
}

# install_packages KIND…: one that cannot be had is no reason to be without the others.
install_packages() {
    local each as_root=() status=0
    if [ "$(id -u)" -ne 0 ]; then
        as_root=(sudo)
        is_terminal || as_root+=(--non-interactive)
    fi
    mkdir -p "$state"
    : > "$state/packages.log"
    # Once, where its question and its answer are seen.
    "${as_root[@]}" env true || return
    if [ -e "$state/installing" ]; then
        "${as_root[@]}" dpkg --configure -a < /dev/null >> "$state/packages.log" 2>&1 || true
    fi
    apt update || true
    wanted "$@"
    choose_packages
    if lacks_jdk; then
        tell_temurin
    fi
    printf '%s\n' "${packages[*]}" > "$state/installing"
    # apt-get does not stop in the middle of a package; we stop when it has. Where sudo has taken the terminal, only
    # apt-get hears of it.
    trap 'say "ended while packages were being installed; type $again again to go on"; exit 130' INT
    if ! apt install --fix-broken "${packages[@]}"; then
        for each in "${packages[@]}"; do
            if ! apt install "$each"; then
                say "$each could not be installed"
                status=1
            fi
        done
    fi
    trap - INT
    rm -f "$state/installing"
    return "$status"
}

# Another one that installs something is waited for.
apt() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -y --no-install-recommends -o DPkg::Lock::Timeout=300 "$@" \
        < /dev/null >> "$state/packages.log" 2>&1
}
