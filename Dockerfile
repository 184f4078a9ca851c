# The image of the Action. The base is pinned by digest, every package by hash, and nothing else is fetched.
# A test that has no registry at hand replaces the base: --build-arg BASE=...
ARG BASE=python:3.13-slim@sha256:3dd7cc108ec1493442514f5c2a871af6af0ec31d768ff6e378a93340c3b3db5f

FROM ${BASE} AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_NO_INPUT=1 PIP_ROOT_USER_ACTION=ignore
# Two environments: one that builds the wheel, and the one that is shipped, which has no pip in it.
COPY requirements/build.lock requirements/image.lock /build/
RUN python -m venv /build/venv \
    && /build/venv/bin/pip install --require-hashes --only-binary :all: -r /build/build.lock \
    && python -m venv --without-pip /opt/venv \
    && /build/venv/bin/pip --python /opt/venv/bin/python install --no-compile \
        --require-hashes --only-binary :all: -r /build/image.lock
COPY LICENSE README.md pyproject.toml /build/project/
COPY templates /build/project/templates
COPY src /build/project/src
RUN /build/venv/bin/pip wheel --no-index --no-deps --no-build-isolation -w /build/dist /build/project \
    && /build/venv/bin/pip --python /opt/venv/bin/python install --no-compile --no-index --no-deps /build/dist/*.whl

FROM ${BASE}
LABEL org.opencontainers.image.title="Clearband" \
      org.opencontainers.image.description="Did your change clear the noise band? A paired-bootstrap gate for evaluation results on pull requests." \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /opt/venv /opt/venv
# Bytecode for the standard library (a slim base has none) and for the program: start-up is part of the product. It is
# never checked against the source, so it stays valid whatever a copy does to the time stamps.
RUN python -m compileall -q -f -j 0 --invalidation-mode unchecked-hash -x '/(site|dist)-packages/' \
        "$(python -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')" \
    && /opt/venv/bin/python -m compileall -q -f -j 0 --invalidation-mode unchecked-hash /opt/venv/lib
ENV PYTHONSAFEPATH=1 PYTHONUTF8=1 PYTHONDONTWRITEBYTECODE=1
# The working directory is the user's workspace, and a job's env: reaches this container. -I keeps both out of the import
# path, even a PYTHONPATH; -B and -X utf8 repeat what -I makes Python forget of the lines above.
ENTRYPOINT ["/opt/venv/bin/python", "-I", "-B", "-X", "utf8", "/opt/venv/bin/clearband"]
CMD ["action"]
