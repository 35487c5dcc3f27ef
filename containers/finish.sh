# The last step inside an image that is being built: compile its Python.
#
# Nothing is removed and no owner or mode is changed here: while this runs, Apptainer may show the host's own /tmp, home and other folders
# inside, and what is done to them is done to the host. containers/build_images.py tidies the finished file system from outside.
set -eu
: "${PYTHONHASHSEED:?}"

# Python checks a compiled file against its source's time unless told not to; all times are made equal when the image is packed.
/opt/inforce/bin/python - <<'PYTHON'
import compileall
import os
import py_compile
import sys

mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
for folder in ("/opt/inforce/lib", f"/usr/lib/python{sys.version_info[0]}.{sys.version_info[1]}"):
    # some packages ship files for other Pythons, which do not compile: they are left as they are
    compileall.compile_dir(folder, quiet=2, force=True, invalidation_mode=mode, maxlevels=50, workers=os.cpu_count())
PYTHON
