# The server with the web app inside, as one file in a small image.
#
# Not tried: no container engine was at hand when this was written. The commands inside are those that are tried daily
# (`cargo xtask dist`, `turnwise serve`); whether the images have everything that they need is not known.
#
#   docker build -t turnwise .
#   docker run -p 8080:8080 -v turnwise-data:/data -e TURNWISE_ACCESS_TOKEN=… -e OPENAI_API_KEY=… turnwise
#
# The server refuses to listen on another address than loopback without TURNWISE_ACCESS_TOKEN. Behind a proxy set
# TURNWISE_HOSTS and TURNWISE_ORIGINS as well; see docs/operating.md.

FROM rust:1-bookworm AS build
RUN rustup target add wasm32-unknown-unknown
WORKDIR /src
COPY . .
# The target folder is a cache of the builder, so the program is copied out of it within the same step.
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/src/target \
    cargo xtask dist && cp target/release/turnwise /turnwise

FROM debian:bookworm-slim
# Certificates of services, which are checked against those of the system; the browser that renders pages, with its fonts.
# It needs user namespaces for its sandbox: see "Rendering" in docs/operating.md.
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates chromium-headless-shell fonts-liberation fonts-noto-cjk \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --user-group --create-home --home-dir /data turnwise
COPY --from=build /turnwise /usr/local/bin/turnwise
USER turnwise
WORKDIR /data
VOLUME /data
ENV TURNWISE_DATA_DIR=/data
EXPOSE 8080
ENTRYPOINT ["turnwise"]
CMD ["serve", "--addr", "0.0.0.0:8080"]
