# Part of Colonnade, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Sourced by the examples' run scripts: the tool, the folders, the target.
#   COLONNADE         the tool (default: colonnade on the path)
#   COLONNADE_TARGET  auto, cuda or cpu (default: auto)
#   first argument    output folder (default: out/<example> below the current one)
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[1]}")" && pwd)
out=${1:-$PWD/out/$(basename "$here")}
mkdir -p "$out"

run_in_bulk() {
  "${COLONNADE:-colonnade}" run "$@" --target "${COLONNADE_TARGET:-auto}" --verify
}
