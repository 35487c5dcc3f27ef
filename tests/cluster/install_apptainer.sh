#!/usr/bin/env bash
# Set up Apptainer from nothing on Debian 12, as root. Does nothing where `apptainer` is found already.
# usage: tests/cluster/install_apptainer.sh
#
# Debian packages Apptainer in unstable only, built for a newer C library than Debian 12 has. So its package and the three libraries it
# needs are unpacked under a folder of their own, and its programs are pointed at them; nothing else on the machine is upgraded.
# Everything comes through apt, from the mirror and with the keyrings that the machine is configured with.
set -euo pipefail

prefix=${APPTAINER_PREFIX:-/opt/apptainer}
suite=sid
packages=(apptainer libc6 libseccomp2 libsqlite3-0)

say() { printf 'install_apptainer: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

if command -v apptainer >/dev/null && apptainer --version >/dev/null 2>&1; then
    exit 0
fi
[ "$(id -u)" = 0 ] || fail "apptainer is not in PATH and only root can set it up: run this as root, or ask the site to install Apptainer 1.4 or later"
command -v apt-get >/dev/null || fail "apt-get is not here: this sets Apptainer up on Debian 12 only; install Apptainer 1.4 or later by the system's own means"
codename=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")
[ "$(dpkg --print-architecture)" = amd64 ] || fail "this machine is $(dpkg --print-architecture); only amd64 is tried"

mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
    awk -v suite="$codename" '$2 == suite && $3 == "main" {print $1; exit}')
[ -n "$mirror" ] || fail "no mirror of Debian ($codename main) in this machine's apt sources: add one to /etc/apt/sources.list.d"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
log=$work/log
quietly() { "$@" >"$log" 2>&1 || { cat "$log" >&2; return 1; }; }
export DEBIAN_FRONTEND=noninteractive

say "installing what Apptainer needs from Debian's $codename"
needed=(squashfs-tools uidmap debootstrap squashfuse fuse2fs fuse-overlayfs fuse3 patchelf ca-certificates)
install() { quietly apt-get install -y -qq --no-install-recommends "${needed[@]}"; }
install 2>/dev/null || { quietly apt-get update -qq && install; } || fail "apt-get could not install ${needed[*]}: see above"

say "fetching Apptainer from Debian's unstable"
# A root of apt's own: the machine's lists and sources stay as they are; its configuration, keyrings and proxies are used.
mkdir -p "$work"/lists/partial "$work"/archives/partial "$work"/sources.d "$work"/debs
printf 'deb [signed-by=%s] %s %s main\n' /usr/share/keyrings/debian-archive-keyring.gpg "$mirror" "$suite" >"$work/sources.list"
: >"$work/status"
# the user _apt reads and writes here
chmod 755 "$work"
chown -R _apt "$work/lists/partial" "$work/archives/partial" "$work/debs" 2>/dev/null || true
apt=(apt-get -qq
    -o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts="$work/sources.d"
    -o Dir::State::lists="$work/lists" -o Dir::State::status="$work/status"
    -o Dir::Cache::archives="$work/archives" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=)
quietly "${apt[@]}" update || fail "apt could not read unstable's index from the configured mirror: see above"
(cd "$work/debs" && quietly "${apt[@]}" download "${packages[@]}") || fail "apt could not fetch ${packages[*]} from unstable: see above"

say "unpacking to $prefix"
rm -rf "$prefix.new"
mkdir -p "$prefix.new"
for deb in "$work"/debs/apptainer_*.deb; do dpkg-deb -x "$deb" "$prefix.new"; done
for deb in "$work"/debs/lib*.deb; do dpkg-deb -x "$deb" "$prefix.new/lib-unstable"; done
# unstable keeps every library below /usr; a Debian 12 package would still use /lib
[ -e "$prefix.new/lib-unstable/lib" ] || ln -s usr/lib "$prefix.new/lib-unstable/lib"
libraries=$prefix/lib-unstable/usr/lib/x86_64-linux-gnu
loader=$(cd "$prefix.new/lib-unstable" && find . -name 'ld-linux-x86-64.so.2' -printf '%P\n' | head -1)
[ -n "$loader" ] || fail "unstable's libc6 holds no loader: its layout changed"
starter=$(find "$prefix.new/usr" -path '*/apptainer/bin/starter' -type f | head -1)
[ -f "$prefix.new/usr/bin/apptainer" ] && [ -n "$starter" ] || fail "Apptainer's package holds no apptainer and starter: its layout changed"
for program in "$prefix.new/usr/bin/apptainer" "$starter"; do
    # rpath and not runpath, so that it holds for the libraries' own libraries too
    patchelf --set-interpreter "$prefix/lib-unstable/$loader" --force-rpath --set-rpath "$libraries:/usr/lib/x86_64-linux-gnu" "$program"
done
# Apptainer looks for its configuration and its session folder beside the folders that its two programs lie in
mkdir -p "$prefix.new/var/lib/apptainer/mnt/session"
for folder in "$prefix.new/usr" "$prefix.new/usr/lib"; do
    [ -e "$folder/etc" ] || ln -s "$(realpath --relative-to="$folder" "$prefix.new/etc")" "$folder/etc"
    [ -e "$folder/var" ] || ln -s "$(realpath --relative-to="$folder" "$prefix.new/var")" "$folder/var"
done
rm -rf "$prefix"
mv "$prefix.new" "$prefix"
# spython calls it by its older name
for name in apptainer singularity; do ln -sf "$prefix/usr/bin/apptainer" "/usr/local/bin/$name"; done
# user namespaces for root and for whoever builds with --fakeroot
for file in /etc/subuid /etc/subgid; do
    grep -q '^root:' "$file" 2>/dev/null || echo 'root:100000:65536' >>"$file"
done
# an ordinary user mounts an image through FUSE
[ ! -c /dev/fuse ] || chmod a+rw /dev/fuse
quietly /usr/local/bin/apptainer --version || fail "Apptainer was unpacked but does not start: see above"
say "$(/usr/local/bin/apptainer --version) is set up"
