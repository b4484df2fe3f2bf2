# Container image of the server; docs/docker.md explains how to run it. Build it from this folder: `docker build -t fiscal .`

FROM node:24.21.0-trixie-slim AS build
WORKDIR /build
# Dependencies first, so that a change in the sources does not install them again. Without scripts: the image already has a
# suitable Node, and the build runs below, once the sources are there.
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY build.ts config.example.toml ./
COPY packaging packaging
COPY bin bin
COPY storage storage
COPY src src
COPY server server
COPY commands commands
COPY examples examples
RUN node build.ts && node packaging/docker/collect.ts /out

FROM node:24.21.0-trixie-slim AS runtime
ENV NODE_ENV=production \
    HOME=/data \
    FISCAL_DATA_DIR=/data \
    FISCAL_SERVER__HOST=0.0.0.0 \
    XDG_CACHE_HOME=/app/cache \
    NODE_OPTIONS=--max-semi-space-size=8
COPY --from=build /out /app
COPY packaging/docker/healthcheck.cjs /app/healthcheck.cjs
RUN ln -s /app/bin/fiscal.js /usr/local/bin/fiscal \
    && chmod 0755 /app/bin/fiscal.js \
    && install -d -o 10001 -g 10001 -m 0700 /data \
    && install -d -o 10001 -g 10001 -m 0755 /app/cache
# By number, so that an orchestrator can see that it is not root. The user has no name, and write access only to /data and
# the cache.
USER 10001:10001
# Proves that the program runs in this image, and keeps compiled code, so that a container starts faster.
RUN node /app/bin/fiscal.js --data-dir /tmp/warm quickstart >/dev/null \
    && timeout --preserve-status 10 node /app/bin/fiscal.js --data-dir /tmp/warm serve \
    && rm -rf /tmp/warm
WORKDIR /
VOLUME /data
EXPOSE 8787
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
    CMD ["node", "/app/healthcheck.cjs"]
ENTRYPOINT ["node", "/app/bin/fiscal.js"]
CMD ["serve"]
