#!/bin/sh
# Installs the program, the library and the documents that were built, or removes them: install.sh install|uninstall.
# Reads PREFIX, DESTDIR, VERSION, BUILD, LIB_DIR and PYTHON_DIR, as the Makefile sets them.
set -eu

root="$DESTDIR$PREFIX"
soname=libtauler.so.${VERSION%%.*}
module=analysis/python/tauler
usual_python_dir=lib/python3/dist-packages
python=$(command -v /usr/bin/python3 || command -v python3 || true)
python_folders=$([ -z "$python" ] || "$python" -c 'import site; print("\n".join(site.getsitepackages()))')
found=$(printf '%s\n' "$python_folders" | sed -n "s|^$PREFIX/||p" | head -n 1)
PYTHON_DIR=${PYTHON_DIR:-${found:-$usual_python_dir}}
package=$PYTHON_DIR/tauler
installed="bin/tauler include/tauler.h include/tauler_error.h
  $LIB_DIR/libtauler.a $LIB_DIR/libtauler.so.$VERSION $LIB_DIR/$soname $LIB_DIR/libtauler.so
  $LIB_DIR/pkgconfig/tauler.pc
  share/bash-completion/completions/tauler"
commands=$(./tauler --man | sed -n 's/^\*tauler-\([a-z]*\)\*(1)$/\1/p')
page_module=share/tauler/tauler.wasm
checker=bin/tauler-proof
pages=tauler
for command in $commands; do pages="$pages tauler-$command"; done
for page in $pages; do installed="$installed share/man/man1/$page.1"; done
module_files=$(cd "$module" && find . -name '*.py' -o -name '*.md' -o -name '*.json' -o -name py.typed | sed 's|^\./||' | sort)
for file in $module_files; do installed="$installed $package/$file"; done

if [ "$1" = uninstall ]; then
  for file in $installed $page_module $checker; do rm -f "$root/$file"; done
  find "$root/$package" -name __pycache__ -exec rm -rf {} + 2>/dev/null || true
  find "$root/$package" -depth -type d -exec rmdir {} + 2>/dev/null || true
  exit 0
fi

for file in $installed; do install -d "$root/$(dirname "$file")"; done
install -m 755 tauler "$root/bin/tauler"
[ ! -f tauler.wasm ] || install -D -m 644 tauler.wasm "$root/$page_module"
[ ! -f tauler-proof ] || install -m 755 tauler-proof "$root/$checker"
install -m 644 analysis/probe/tauler.h base/tauler_error.h "$root/include"
install -m 644 "$BUILD/libtauler.a" "$root/$LIB_DIR"
install -m 755 "$BUILD/libtauler.so.$VERSION" "$root/$LIB_DIR"
ln -sf "libtauler.so.$VERSION" "$root/$LIB_DIR/$soname"
ln -sf "$soname" "$root/$LIB_DIR/libtauler.so"
for file in $module_files; do install -m 644 "$module/$file" "$root/$package/$file"; done

cat >"$BUILD/tauler.pc" <<PC
prefix=$PREFIX
libdir=\${prefix}/$LIB_DIR
includedir=\${prefix}/include

Name: tauler
Description: Exact values of game positions from Tauler tables
Version: $VERSION
Libs: -L\${libdir} -ltauler
Libs.private: -lzstd -lxxhash -lgmp -lgomp -lm -lpthread
Cflags: -I\${includedir}
PC
install -m 644 "$BUILD/tauler.pc" "$root/$LIB_DIR/pkgconfig/tauler.pc"

for page in $pages; do
  # shellcheck disable=SC2046
  ./tauler --man $(echo "$page" | sed -n 's/^tauler-//p') | scdoc >"$BUILD/$page.1"
  install -m 644 "$BUILD/$page.1" "$root/share/man/man1/$page.1"
done
./tauler --bash-completion >"$BUILD/tauler.bash"
install -m 644 "$BUILD/tauler.bash" "$root/share/bash-completion/completions/tauler"

if ! printf '%s\n' "$python_folders" | grep -qxF "$PREFIX/$PYTHON_DIR"; then
  echo "The Python module is in $PREFIX/$PYTHON_DIR, where ${python:-python3} does not look; say so to it:"
  echo "  export PYTHONPATH=$PREFIX/$PYTHON_DIR"
fi
