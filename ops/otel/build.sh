#!/bin/sh
# Compiles the collector from Debian's own sources of it, without the network. To run on a Debian that has them (sid), as it is or
# as a folder made by debootstrap, see docs/deployment.md:
#
#   apt-get install golang-go golang-opentelemetry-collector-dev
#   ops/otel/build.sh FILE
set -eu
here=$(cd "$(dirname "$0")" && pwd)
file=${1:?where the program shall lie}
version=$(dpkg-query -W -f '${Version}' golang-opentelemetry-collector-dev)

# As Debian builds what is written in Go: from a folder of sources, without modules. Static, so that it runs on any Linux.
export GO111MODULE=off GOPATH=/usr/share/gocode CGO_ENABLED=0
go build -trimpath -ldflags "-s -w -X main.version=$version" -o "$file" "$here/main.go"
"$file" --version
