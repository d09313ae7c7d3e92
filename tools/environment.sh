# Where the environment lies. Read by tools/qgis and tools/setup.
# shellcheck shell=bash

say() { printf '%s\n' "stormwater: $*" >&2; }
fail() { say "$@"; exit 1; }

tools_dir=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
clone=${tools_dir%/*}
cache=${STORMWATER_CACHE:-${XDG_CACHE_HOME:-${HOME:?HOME is not set}/.cache}/stormwater-screening}
[[ $cache == /* ]] || fail "STORMWATER_CACHE must be an absolute path, found: $cache"
qgis_version=${STORMWATER_QGIS:-3.40}
[[ $qgis_version == 3.40 || $qgis_version == 3.44 ]] ||
    fail "STORMWATER_QGIS must be 3.40 or 3.44, found: $qgis_version"

release=$(. /etc/os-release && printf '%s' "${ID:-linux}-${VERSION_CODENAME:-${VERSION_ID:-}}")
package_list() { sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' "$tools_dir/packages-debian.txt"; }

# Two keys: a change of the extras must not cost a new tree.
key() { cat -- "$@" <(uname -m) | sha256sum | cut -c1-12; }
tree_key=$qgis_version-$(key "$tools_dir/packages-debian.txt")
extras=$cache/extras/$(key "$tools_dir/packages-pypi.txt")
tree=$cache/trees/trixie-$tree_key
native_mark=$cache/native/$release-$tree_key

# Prints the folder of the tree, or `native`; nothing while a set-up is needed.
environment_kind() {
    [[ -d $extras ]] || return 0
    if [[ -d $tree ]]; then
        printf '%s' "$tree"
    elif [[ -e $native_mark && -x /usr/bin/qgis_process ]]; then
        printf native
    fi
}

# Prints the folder of packages that are unpacked beside the environment, fetched once: NAME WHAT PROBE [FINISH].
# They stand in tools/packages-NAME.txt; PROBE is a file that they must bring, FINISH a function that works on
# the folder. Nothing is installed: no service, no user, nothing that another command would wait for.
unpacked() {
    local name=$1 what=$2 probe=$3 finish=${4:-true}
    [[ -n ${STORMWATER_INSIDE:-} ]] || fail "start it inside the environment: tools/qgis tools/$name"
    local list=$tools_dir/packages-$name.txt
    local layer work package
    layer=$cache/$name/$tree_key-$(key "$list")
    if [[ ! -d $layer ]]; then
        mkdir -p "$cache/$name"
        exec 9>"$cache/$name/lock"
        flock 9
    fi
    if [[ ! -d $layer ]]; then
        work=$cache/building-$name
        rm -rf -- "$work"
        mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/layer"
        # Lists and downloads of its own: what is installed stays as it is, and no right to change it is needed.
        local own=(-qq -o Dir::State::lists="$work/lists" -o Dir::Cache="$work/cache" -o Debug::NoLocking=true
            -o APT::Sandbox::User="$(id -un)")
        say "fetching $what (once)"
        apt-get "${own[@]}" update >&2 || fail "the package lists could not be read."
        sed -e 's/#.*//' -e '/^$/d' "$list" |
            xargs apt-get "${own[@]}" install --yes --no-install-recommends --download-only >&2 ||
            fail "the packages could not be fetched."
        for package in "$work"/cache/archives/*.deb; do dpkg -x "$package" "$work/layer"; done
        compgen -G "$work/layer/$probe" >/dev/null || fail "the packages brought no $probe."
        "$finish" "$work/layer"
        mv -T -- "$work/layer" "$layer"
        rm -rf -- "$work"
    fi
    printf '%s\n' "$layer"
}
