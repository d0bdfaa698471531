# An image of sudoku-service and nothing else: a static program, no shell, no root.
#
#     docker build --build-arg REVISION=$(git rev-parse --short HEAD) -t sudoku-service:0.1.0 .
#     docker run --read-only --cap-drop ALL -p 50051:50051 sudoku-service:0.1.0

FROM rust:1-alpine AS build
# musl-dev for the linker; make and a C compiler for the allocator and the cryptography, which are C in part.
# hadolint ignore=DL3018 # an Alpine release has one version of each
RUN apk add --no-cache gcc make musl-dev
WORKDIR /source
COPY Cargo.toml Cargo.lock build.rs ./
COPY proto proto
COPY src src
# Cargo looks for everything that Cargo.toml names, even if it does not build it.
COPY benches benches
COPY examples examples
ARG REVISION=unknown
ARG FEATURES=otlp
ENV SUDOKU_REVISION=$REVISION
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/source/target \
    cargo build --release --locked --bin sudoku-service --features "$FEATURES" \
    && cp target/release/sudoku-service /sudoku-service

FROM scratch
COPY --from=build /sudoku-service /sudoku-service
USER 65532:65532
ENV SUDOKU_LISTEN=0.0.0.0:50051 SUDOKU_LOG_FORMAT=json
EXPOSE 50051
HEALTHCHECK --interval=10s --timeout=5s --start-period=5s CMD ["/sudoku-service", "healthcheck"]
ENTRYPOINT ["/sudoku-service"]
