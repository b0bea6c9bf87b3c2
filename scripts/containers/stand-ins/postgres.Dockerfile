# Stands in for postgres:18, with Debian's Postgres: what that image reads from its variables, and where it keeps its data.
FROM debian-services
COPY postgres-start.sh /usr/local/bin/docker-entrypoint.sh
ENV PATH=/usr/lib/postgresql/15/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  PGDATA=/var/lib/postgresql/18/docker
RUN rm -rf /var/lib/postgresql/* && install -d -o postgres -g postgres -m 3777 /var/run/postgresql
VOLUME /var/lib/postgresql
STOPSIGNAL SIGINT
EXPOSE 5432
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["postgres"]
