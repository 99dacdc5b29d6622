# One image for every role: `panji start --role api|worker|scheduler`, `panji migrate` and each other command.
# The base image has the version of Node that package.json pins, and PostgreSQL runs in its own container, so the image
# contains neither the package `node` nor the embedded server.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
COPY client/package.json client/
COPY sandboxes/package.json sandboxes/
COPY sample/package.json sample/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# The commit, for panji_build_info: docker build --build-arg PANJI_BUILD=$(git rev-parse --short=12 HEAD)
ARG PANJI_BUILD=unknown
RUN node scripts/build.ts package

FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /opt/panji
COPY package.json package-lock.json ./
COPY client/package.json client/
COPY sandboxes/package.json sandboxes/
COPY sample/package.json sample/
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund && rm -rf node_modules/node node_modules/.bin node_modules/panji-* client sandboxes sample

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    PANJI_SAMPLE=off \
    PANJI_DATA_DIR=/var/lib/panji
# Only the data directory is written to, so the rest may be mounted read-only.
RUN install -d -o 1000 -g 1000 -m 0700 /var/lib/panji && ln -s /opt/panji/bin/panji.mjs /usr/local/bin/panji
COPY --from=packages /opt/panji /opt/panji
COPY --from=build /build/dist /opt/panji/dist
COPY bin /opt/panji/bin
COPY LICENSE /opt/panji/
USER 1000:1000
WORKDIR /var/lib/panji
VOLUME /var/lib/panji
EXPOSE 8080
STOPSIGNAL SIGTERM
ENTRYPOINT ["panji"]
CMD ["start", "--role", "all"]
