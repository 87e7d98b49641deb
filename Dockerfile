# One image for all services: `docker run IMAGE game`. Both stages stand on the same base, which needs no more than
# Python 3.11 and the certificates that its networks want.
ARG BASE=python:3.11-slim-bookworm

FROM ${BASE} AS build
# What is fetched is believed by the base image's certificates, so that a base of one's own may bring more of them.
ENV PIP_CERT=/etc/ssl/certs/ca-certificates.crt \
    NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1
RUN apt-get update -q \
    && apt-get install -y -q --no-install-recommends gcc libc6-dev \
    && { test -e "$(python3 -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h" \
         || apt-get install -y -q --no-install-recommends python3-dev; }
WORKDIR /app
COPY requirements/run.txt requirements/build.txt requirements/node.txt requirements/serve.txt requirements/
COPY scripts/make_env.py scripts/make_env.py
RUN python3 scripts/make_env.py run build node
# What the image runs on: the services' own packages, without pip and without what only builds.
RUN python3 -m venv --without-pip serve \
    && .venv/bin/python -m pip --python serve/bin/python install --require-hashes --progress-bar off -r requirements/serve.txt
COPY scripts/page.py scripts/page.py
COPY web web
RUN .venv/bin/python scripts/page.py build
COPY scripts/gen_proto.py scripts/gen_proto.py
COPY proto proto
RUN .venv/bin/python scripts/gen_proto.py
# Only what is compiled and its neighbours, so that a change elsewhere does not compile it anew. Uncompiled, the bots would
# think several times slower: an image without compiled rules is not made.
COPY scripts/build_rules.py scripts/build_rules.py
COPY libs/__init__.py libs/__init__.py
COPY libs/rules libs/rules
COPY services/__init__.py services/__init__.py
COPY services/bots services/bots
RUN .venv/bin/python scripts/build_rules.py && test -e build/compiled/sources.json
COPY scripts/prepare_volumes.py scripts/prepare_volumes.py
COPY libs libs
COPY services services
RUN serve/bin/python -m compileall -q libs services gen scripts/prepare_volumes.py

FROM ${BASE}
ARG COMMIT=""
LABEL org.opencontainers.image.title="tandemfog" \
      org.opencontainers.image.licenses="AGPL-3.0-or-later" \
      org.opencontainers.image.revision="${COMMIT}"
WORKDIR /app
COPY --from=build /app/serve serve
COPY --from=build /app/build/compiled build/compiled
COPY --from=build /app/web/dist web/dist
COPY --from=build /app/gen gen
COPY --from=build /app/libs libs
COPY --from=build /app/services services
COPY --from=build /app/scripts/prepare_volumes.py scripts/prepare_volumes.py
COPY LICENSE LICENSE
# Every service listens alike, since each has a container of its own: gRPC 7000, metrics 9464, the page 8080.
ENV PATH=/app/serve/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    TANDEMFOG_COMMIT=${COMMIT} \
    TANDEMFOG_GAME_HOST=0.0.0.0 TANDEMFOG_GAME_PORT=7000 TANDEMFOG_GAME_METRICS_PORT=9464 \
    TANDEMFOG_MATCHMAKING_HOST=0.0.0.0 TANDEMFOG_MATCHMAKING_PORT=7000 TANDEMFOG_MATCHMAKING_METRICS_PORT=9464 \
    TANDEMFOG_VISIBILITY_HOST=0.0.0.0 TANDEMFOG_VISIBILITY_PORT=7000 TANDEMFOG_VISIBILITY_METRICS_PORT=9464 \
    TANDEMFOG_BOTS_HOST=0.0.0.0 TANDEMFOG_BOTS_PORT=7000 TANDEMFOG_BOTS_METRICS_PORT=9464 \
    TANDEMFOG_GATEWAY_HOST=0.0.0.0 TANDEMFOG_GATEWAY_PORT=7000 TANDEMFOG_GATEWAY_METRICS_PORT=9464 \
    TANDEMFOG_GATEWAY_HTTP_HOST=0.0.0.0 TANDEMFOG_GATEWAY_HTTP_PORT=8080
USER 10001:10001
EXPOSE 7000 8080 9464
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 CMD ["python", "-m", "libs.runtime.probe"]
ENTRYPOINT ["python", "-m", "services"]
