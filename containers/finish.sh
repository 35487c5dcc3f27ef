# The last step inside an image that is being built: take out what differs from build to build or names the build machine.
set -eu
: "${SOURCE_DATE_EPOCH:?}"

rm -rf /var/log/* /var/cache/apt/* /var/lib/apt/lists/* /var/cache/ldconfig/aux-cache /var/cache/debconf/*-old /var/lib/dpkg/*-old
rm -rf /usr/share/doc/* /usr/share/man/* /usr/share/info/* /usr/share/locale/* /root/.cache /tmp/* 2>/dev/null || true
rm -f /etc/apt/sources.list /etc/apt/apt.conf.d/*proxy* /etc/passwd- /etc/group- /etc/shadow- /etc/gshadow-
: >/etc/machine-id
echo image >/etc/hostname 2>/dev/null || true

# Python checks a compiled file against its source's time unless told not to; all times are made equal below.
# One process: what is compiled in several may differ in the bytes of its constants.
find /opt /usr/lib/python3* -name __pycache__ -prune -exec rm -rf {} +
/opt/inforce/bin/python - <<'PYTHON'
import compileall
import os
import py_compile
import sys

mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
for folder in ("/opt/inforce/lib", f"/usr/lib/python{sys.version_info[0]}.{sys.version_info[1]}"):
    # some packages ship files for other Pythons, which do not compile: they are left as they are
    compileall.compile_dir(folder, quiet=2, invalidation_mode=mode, maxlevels=50, workers=os.cpu_count())
PYTHON

# Whoever builds owns every file, may read it and may remove it, without root too.
find / -xdev \( ! -uid 0 -o ! -gid 0 \) -exec chown -h 0:0 {} + 2>/dev/null || true
chmod -R u+rwX,go+rX,a-s /opt /usr /etc /var /root /home /srv 2>/dev/null || true
