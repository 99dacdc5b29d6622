#!/bin/sh
# /usr/local/sbin/panji: for root, runs commands as the user panji with the migration role's credentials.
set -a
. /etc/panji/panji.env
[ ! -e /etc/panji/migrate.env ] || . /etc/panji/migrate.env
NODE_ENV=production PANJI_DATA_DIR=/var/lib/panji
set +a
umask 077
exec runuser -u panji -- /opt/panji/node_modules/node/bin/node /opt/panji/node_modules/panji/bin/panji.mjs "$@"
