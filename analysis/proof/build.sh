#!/bin/sh
# Has Coq check the proofs, and builds the checker from them: build.sh FOLDER PROGRAM VERSION. What the theorems rest on
# stands in FOLDER/assumptions then; anything but machine integers is refused.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cp "$here"/*.v "$here"/*.ml "$1"
program=$(pwd)/$2
case $2 in /*) program=$2 ;; esac
cd "$1"
for tool in coqc ocamlopt; do
  command -v $tool >/dev/null || {
    echo "make proof: there is no $tool: install Coq 8.16 and OCaml (coq, ocaml-nox)" >&2
    exit 69
  }
done
for file in Value Rules Boards Machine Cells Packed Check Sound Theorems Guarantees Stages Exact \
    Doushouqi Placements Positions Endings Extract; do
  echo "  prove   analysis/proof/$file.v"
  coqc -q -Q . "" $file.v
done
coqc -q -Q . "" Assumptions.v >assumptions
if grep -E 'Admitted|admit' ./*.v || grep -E '^[^ ]+ *:|^[^ ]+$' assumptions | grep -vE '^(Axioms:|Closed under the global context|(PrimInt|Uint)63\.)'; then
  echo "make proof: the theorems rest on more than machine integers" >&2
  exit 1
fi
echo "let version = \"$3\"" >version.ml
ocamlopt -w -a -inline 200 -ccopt "${LDFLAGS-}" -o "$program" uint63.ml checker.mli checker.ml \
  placements.mli placements.ml version.ml doushouqi.ml driver.ml
