#!/bin/sh
# A whole cluster on this one machine, on loopback: an etcd, three members and HAProxy. It runs until Ctrl-C or SIGTERM and
# then stops everything it started. An existing cluster in the folder is started again.
#
#   ops/ha/cluster.sh FOLDER [--asynchronous]
#
# FIRST_PORT (15000) is the first of ten ports. As root it runs as the account `postgres`, since PostgreSQL refuses to run as root.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:?a folder for the data}
mode=${2:-}

if [ "$(id -u)" = 0 ]; then
  install -d -o postgres -g postgres "$folder"
  exec setpriv --reuid=postgres --regid=postgres --clear-groups --pdeathsig=TERM "$here/cluster.sh" "$@"
fi
mkdir -p "$folder"
cd "$folder"

# Debian installs HAProxy there, which is not on an ordinary user's PATH.
PATH=$PATH:/usr/sbin
FIRST_PORT=${FIRST_PORT:-15000}
peers="http://127.0.0.1:$((FIRST_PORT + 1))"
export ETCD_ADDRESS="127.0.0.1:$FIRST_PORT"
export WRITE_PORT=$((FIRST_PORT + 2)) READ_PORT=$((FIRST_PORT + 3))
export ONE_PORT=$((FIRST_PORT + 4)) TWO_PORT=$((FIRST_PORT + 5)) THREE_PORT=$((FIRST_PORT + 6))
export ONE_REST_PORT=$((FIRST_PORT + 7)) TWO_REST_PORT=$((FIRST_PORT + 8)) THREE_REST_PORT=$((FIRST_PORT + 9))

if ! [ -e passwords.env ]; then
  (umask 077; for name in SUPERUSER REPLICATION REWIND PANJI; do
    echo "export ${name}_PASSWORD=$(od -An -N16 -tx1 /dev/urandom | tr -d ' ')"
  done >passwords.env)
fi
. ./passwords.env

# Stops the children however this script ends.
start() {
  name=$1; shift
  setpriv --pdeathsig=TERM "$@" >>"$name.log" 2>&1 &
}
stop() {
  trap - EXIT INT TERM
  # etcd stops last, because the members release their keys in it.
  kill $members $proxy 2>/dev/null || true
  for each in $members; do wait "$each" || true; done
  kill "$etcd" 2>/dev/null || true
  wait
}
members='' proxy='' etcd=''
trap 'stop; exit 0' INT TERM
trap stop EXIT

# In production three on separate machines, so that one may fail; here one is enough, since nothing kills it.
start etcd etcd --data-dir etcd --log-level warn \
  --listen-client-urls "http://$ETCD_ADDRESS" --advertise-client-urls "http://$ETCD_ADDRESS" \
  --listen-peer-urls "$peers" --initial-advertise-peer-urls "$peers" --initial-cluster "default=$peers"
etcd=$!
start one "$here/member.sh" one "$ONE_PORT" "$ONE_REST_PORT"
members="$members $!"
start two "$here/member.sh" two "$TWO_PORT" "$TWO_REST_PORT"
members="$members $!"
start three "$here/member.sh" three "$THREE_PORT" "$THREE_REST_PORT"
members="$members $!"
start haproxy haproxy -db -f "$here/haproxy.cfg"
proxy=$!

address() { echo "postgresql://panji:$PANJI_PASSWORD@127.0.0.1:$1/panji"; }
answers() { psql --quiet --command 'SELECT' "$(address "$1")" >/dev/null 2>&1; }
until answers "$WRITE_PORT" && answers "$READ_PORT"; do
  kill -0 "$etcd" "$proxy" 2>/dev/null || { echo "See etcd.log and haproxy.log in $folder." >&2; exit 1; }
  sleep 0.5
done
ctl() { PATRONI_ETCD3_HOST=$ETCD_ADDRESS patronictl "$@"; }
if [ "$mode" = --asynchronous ]; then
  ctl edit-config panji --force --quiet -s synchronous_mode=false -s synchronous_mode_strict=false
fi

echo "DATABASE_URL=$(address "$WRITE_PORT")"
echo "PANJI_READ_DATABASE_URL=$(address "$READ_PORT")"
echo "PATRONI_ETCD3_HOST=$ETCD_ADDRESS patronictl list panji"
echo 'Ctrl-C stops it.'
wait
