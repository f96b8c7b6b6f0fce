# Which version a package is, of when; read by the scripts that make packages, which say where the root is.
# shellcheck shell=bash disable=SC2034,SC2154

maintainer='Facet <maintainers@facet.dev>'

# 0.1.0-SNAPSHOT of a commit is before 0.1.0.
describe() {
    local commit dirty=''
    version=$(sed -n '0,/<version>/s|.*<version>\(.*\)</version>.*|\1|p' "$root/pom.xml")
    if commit=$(git -C "$root" rev-parse --short=9 HEAD 2> /dev/null); then
        SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct)}
        [ -z "$(git -C "$root" status --porcelain --untracked-files=no)" ] || dirty=+changed
    else
        commit=unknown
        SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(stat -c %Y "$root/pom.xml")}
    fi
    export SOURCE_DATE_EPOCH
    if [[ $version == *-SNAPSHOT ]]; then
        version=${version%-SNAPSHOT}~git$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d%H%M).$commit$dirty
    fi
    architecture=$(dpkg --print-architecture)
    date=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
}
