#!/usr/bin/env bash
# The report page is tested in a real browser: install headless Chromium, its driver and fonts where they are missing.
set -euo pipefail
command -v chromium >/dev/null && command -v chromedriver >/dev/null && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing Chromium for the report's tests" >&2
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium chromium-driver fonts-dejavu-core fonts-noto-core >/dev/null
else
    echo "The report's tests need a browser: install the packages chromium and chromium-driver and run this again" >&2
    exit 1
fi
