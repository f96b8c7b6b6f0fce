# What Facet needs of a machine, and whether it is there. ./facet and .ci/run read this file; before, they say
#
#   root     the folder of the sources
#
# shellcheck shell=bash
# shellcheck disable=SC2154 # the names above

needed=25 # version of the JDK

# A line for each need:
#
#   kind      build: nothing works without it; test: ./facet test asks for it; more: without it parts of the tests
#             are left out; check: only .ci/run uses it
#   need      commands, all of which are to be there, or what follows has_ in the name of a function below
#   Debian    packages; the first one of a/b that the system has. Without any, the need is only talked about
#   Fedora    packages, as its documentation names them
#   what      what it is; of more and check: what is left out without it
machine_table() {
    cat << END
build | jdk                   | openjdk-$needed-jdk-headless/temurin-$needed-jdk | java-$needed-openjdk-devel | JDK $needed
build | maven                 | maven                    | maven           | Maven
build | c_compiler            | gcc libc6-dev            | gcc glibc-devel | a C compiler
test  | way_to_cuda           | python3-pip              | python3-pip     | pip, which fetches the CUDA compiler
test  | g++                   | g++                      | gcc-c++         | a C++ compiler, which the CUDA compiler uses
more  | cuda g++              |                          |                 | the tables were not compared with CUDA's headers, the kept PTX not with a fresh compilation, and no CUDA programs were built
more  | runc busybox          | runc busybox             |                 | containers were not tried
more  | podman                | podman                   |                 | CDI and podman's hooks were not tried
more  | prometheus promtool   | prometheus               |                 | nobody scraped the metrics
more  | chromium chromedriver | chromium chromium-driver |                 | the dashboard was not looked at in a browser
more  | dpkg-deb              | dpkg                     |                 | the package was not made, installed and removed
more  | lintian               | lintian                  |                 | the package was not checked by it
more  | groff                 | groff                    |                 | the manual pages were not set
more  | systemd               | systemd                  |                 | the unit of the service was not checked, nor the service started
more  | kubernetes            |                          |                 | nothing was tried with a cluster; with Go 1.26 or newer testkit/kubernetes --install builds one
more  | readelf nm objdump    | binutils                 |                 | what the libraries export was not looked at
check | shellcheck            | shellcheck               |                 | the scripts were not checked
check | clang_format          |                          |                 | the format of C and CUDA sources was not checked
check | make opencl           | make opencl-headers ocl-icd-opencl-dev |   | bench/baseline was not built
check | pocl                  |                          |                 | the benchmark was not compared with it
check | nvidia_gpu            |                          |                 | no figure is claimed for one
END
}

# ---- what is there

# Major version of the JDK in a directory, 0 when there is none. Reads its release file: starting a
# JVM to ask would take longer than all the rest.
jdk_version() {
    local line version=0
    if [ -x "$1/bin/javac" ] && [ -r "$1/release" ]; then
        while IFS= read -r line; do
            if [[ $line =~ ^JAVA_VERSION=\"?([0-9]+) ]]; then
                version=${BASH_REMATCH[1]}
            fi
        done < "$1/release"
    fi
    echo "$version"
}

jdk_candidates() {
    local java
    printf '%s\n' "${JAVA_HOME:-}"
    printf '%s\n' /usr/lib/jvm/* /opt/java* /opt/java/* /opt/jdk* \
        "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/* \
        /Library/Java/JavaVirtualMachines/*/Contents/Home
    if [ -r "$HOME/.m2/toolchains.xml" ]; then
        sed -n 's|.*<jdkHome>\(.*\)</jdkHome>.*|\1|p' "$HOME/.m2/toolchains.xml"
    fi
    if java=$(command -v java); then
        dirname "$(dirname "$(readlink -f "$java")")"
    fi
}

# Exports JAVA_HOME.
find_jdk() {
    local home
    while IFS= read -r home; do
        if [ -n "$home" ] && [ "$(jdk_version "$home")" -ge "$needed" ]; then
            export JAVA_HOME=$home
            return
        fi
    done < <(jdk_candidates)
    return 1
}

# The variable maven becomes its path.
find_maven() {
    local candidate
    for candidate in "${MAVEN_HOME:-/none}/bin/mvn" "$(command -v mvn || true)" \
        /usr/share/maven/bin/mvn /opt/maven*/bin/mvn /opt/apache-maven*/bin/mvn \
        "$HOME"/.sdkman/candidates/maven/current/bin/mvn; do
        if [ -x "$candidate" ]; then
            maven=$candidate
            return
        fi
    done
    return 1
}

has_jdk() { (find_jdk); }
has_maven() { find_maven; }
has_c_compiler() { echo '#include <stdlib.h>' | "${CC:-cc}" -E -x c - > /dev/null 2>&1; }
has_cuda() { "$root/testkit/cuda" > /dev/null 2>&1; }
has_kubernetes() { "$root/testkit/kubernetes" > /dev/null 2>&1; }
has_way_to_cuda() { has_cuda || python3 -m pip --version > /dev/null 2>&1; }
has_systemd() { [ -x /lib/systemd/systemd ] && command -v systemd-analyze > /dev/null; }
has_opencl() {
    echo '#include <CL/cl.h>' | gcc -E -x c - > /dev/null 2>&1 &&
        echo 'int main(void) { return 0; }' | gcc -x c - -lOpenCL -o /dev/null 2> /dev/null
}
has_clang_format() { "$root/testkit/clang-format" > /dev/null 2>&1; }
has_pocl() { [ -e /etc/OpenCL/vendors/pocl.icd ]; }
has_nvidia_gpu() { [ -e /dev/nvidia0 ]; }

# has NEED…
has() {
    local each
    for each in "$@"; do
        if declare -F "has_$each" > /dev/null; then
            "has_$each" || return
        else
            command -v "$each" > /dev/null || return
        fi
    done
}

# ---- the table read

# missing KIND…: the lines of the table whose need is not there: kind|need|Debian|Fedora|what.
missing() {
    local line each words fields
    while IFS='|' read -ra fields; do
        line=''
        for each in "${fields[@]}"; do
            read -ra words <<< "$each"
            line+="${words[*]}|"
        done
        IFS='|' read -ra fields <<< "$line"
        read -ra words <<< "${fields[1]}"
        if [[ " $* " == *" ${fields[0]} "* ]] && ! has "${words[@]}"; then
            printf '%s\n' "${line%|}"
        fi
    done < <(machine_table)
}

# left_out KIND…: a line for each need that is not there: what was left out for want of it.
left_out() {
    local need what
    while IFS='|' read -r _ need _ _ what; do
        need=${need// / or }
        printf '%s: missing, %s\n' "${need//_/ }" "$what"
    done < <(missing "$@")
}

# packages_of COLUMN: of the lines of missing that come in, 3 for Debian's and 4 for Fedora's, as words.
packages_of() {
    local words
    read -r -d '' -a words < <(cut -d '|' -f "$1") || true
    printf '%s' "${words[*]}"
}
