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
