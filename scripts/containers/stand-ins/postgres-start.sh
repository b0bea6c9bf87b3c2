#!/bin/bash
# Makes the database at the first start, as the image's own script does, and runs the server as its own user.
set -Eeuo pipefail
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA"
  chmod 700 "$PGDATA"
  chown -R postgres: "$PGDATA"
  POSTGRES_PASSWORD=$(< "$POSTGRES_PASSWORD_FILE")
  export POSTGRES_PASSWORD
  exec setpriv --reuid postgres --regid postgres --init-groups "$BASH_SOURCE" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  # shellcheck disable=SC2086 # it holds several arguments
  initdb --username="$POSTGRES_USER" --pwfile=<(printf '%s\n' "$POSTGRES_PASSWORD") ${POSTGRES_INITDB_ARGS:-}
  printf 'host all all all scram-sha-256\n' >> "$PGDATA/pg_hba.conf"
  pg_ctl --pgdata "$PGDATA" -o "-c listen_addresses=''" --wait start
  psql --username "$POSTGRES_USER" --dbname postgres --command "CREATE DATABASE \"$POSTGRES_DB\""
  pg_ctl --pgdata "$PGDATA" --mode fast --wait stop
fi
unset POSTGRES_PASSWORD
exec "$@" -c listen_addresses='*'
