#!/bin/sh
# Make a stand-in for the python:3.13-slim image out of Debian's packages, for machines that reach no registry.
#
#   sh make_base.sh FOLDER IMAGE      FOLDER keeps the file tree, so that it is made only once
#
# Needs root, mmdebstrap, podman and buildah, and Debian's package mirror as apt knows it. As in the real image the
# interpreter lies in /usr/local/bin and pip is there; unlike it, the standard library lies under /usr/lib.
set -eu
folder=$1
image=$2
tree=$folder/base-python3.13-trixie.tar

if [ ! -s "$tree" ]; then
    command -v mmdebstrap >/dev/null || { echo "mmdebstrap is not installed" >&2; exit 1; }
    # shellcheck disable=SC2016  # apt-get fills in the field itself
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | head -n 1)
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    cat >"$work/hook" <<'HOOK'
set -eu
cd "$1"
rm -f usr/lib/python3*/EXTERNALLY-MANAGED
for name in python python3 python3.13; do ln -sf /usr/bin/python3 "usr/local/bin/$name"; done
cat >var/pip.sh <<'PIP'
set -eu
unset PIP_FIND_LINKS PIP_CERT
wheels=/usr/share/python-wheels
PYTHONPATH=$(ls "$wheels"/pip-*.whl) /usr/local/bin/python3 -m pip -q install --root-user-action=ignore \
    --no-index --find-links "$wheels" pip
PIP
chroot . sh /var/pip.sh
rm -rf var/pip.sh root/.cache var/lib/apt/lists/* var/cache/apt/*.bin var/cache/apt/archives/*.deb
find usr -name __pycache__ -type d -prune -exec rm -rf {} +
HOOK
    mmdebstrap --quiet --variant=minbase --include=ca-certificates,netbase,tzdata,python3,python3-venv \
        --aptopt='Acquire::Check-Valid-Until "false"' \
        --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/doc/*' \
        --dpkgopt='path-include=/usr/share/doc/*/copyright' --dpkgopt='path-exclude=/usr/share/locale/*' \
        --customize-hook="sh '$work/hook' \"\$1\"" trixie "$work/tree.tar" "$mirror"
    mv "$work/tree.tar" "$tree"
fi

podman import -q -c 'ENV PATH=/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin' -c 'ENV LANG=C.UTF-8' \
    -c 'CMD ["python3"]' "$tree" localhost/clearband-base >/dev/null
# What pip needs to reach its index from this machine goes into the stand-in, as a layer of its own, and so never into
# the image under test: the certificates that the machine trusts and, where it has one, its own index.
container=$(buildah from --pull-never localhost/clearband-base)
certificates=${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}
buildah copy -q "$container" "$certificates" /etc/ssl/certs/ca-certificates.crt >/dev/null
index=${PIP_INDEX_URL:-$(python3 -m pip config get global.index-url 2>/dev/null || true)}
if [ -n "$index" ]; then
    configuration=$(mktemp)
    printf '[global]\nindex-url = %s\n' "$index" >"$configuration"
    buildah copy -q "$container" "$configuration" /etc/pip.conf >/dev/null
    rm -f "$configuration"
fi
buildah commit -q "$container" "$image" >/dev/null
buildah rm "$container" >/dev/null
