#!/bin/sh
# One member: Patroni, which runs and watches a PostgreSQL, and is restarted when it ends, like `Restart=always` in
# systemd. While the file `down` is in the member's folder it stays down, like a machine without power.
#
#   member.sh NAME PORT REST_PORT      with ETCD_ADDRESS and the passwords in the environment, in the cluster's folder
set -u
here=$(cd "$(dirname "$0")" && pwd)
name=$1 port=$2 rest_port=$3
mkdir -p "$name"
bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)

export PATRONI_NAME="$name" PATRONI_ETCD3_HOST="$ETCD_ADDRESS"
export PATRONI_RESTAPI_LISTEN="127.0.0.1:$rest_port" PATRONI_RESTAPI_CONNECT_ADDRESS="127.0.0.1:$rest_port"
export PATRONI_POSTGRESQL_LISTEN="127.0.0.1:$port" PATRONI_POSTGRESQL_CONNECT_ADDRESS="127.0.0.1:$port"
export PATRONI_POSTGRESQL_DATA_DIR="$PWD/$name/data" PATRONI_POSTGRESQL_PGPASS="$PWD/$name/pgpass"
export PATRONI_POSTGRESQL_BIN_DIR="$bin"
export PATRONI_SUPERUSER_USERNAME=postgres PATRONI_SUPERUSER_PASSWORD="$SUPERUSER_PASSWORD"
export PATRONI_REPLICATION_USERNAME=replicator PATRONI_REPLICATION_PASSWORD="$REPLICATION_PASSWORD"
export PATRONI_REWIND_USERNAME=rewind PATRONI_REWIND_PASSWORD="$REWIND_PASSWORD"

patroni=''
stop() {
  [ -n "$patroni" ] && kill "$patroni" 2>/dev/null && wait "$patroni"
  # If Patroni was killed, its PostgreSQL must be stopped here.
  "$bin/pg_ctl" -D "$name/data" -m immediate stop 2>/dev/null
  exit 0
}
trap stop TERM

while :; do
  if ! [ -e "$name/down" ]; then
    (cd "$here" && exec patroni patroni.yml) &
    patroni=$!
    echo "$patroni" >"$name/patroni.pid"
    wait "$patroni"
  fi
  sleep 1 & wait $!
done
