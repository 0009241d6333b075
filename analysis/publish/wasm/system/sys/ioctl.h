/* Terminals of a system that has none. */
#ifndef WASM_SYS_IOCTL_H
#define WASM_SYS_IOCTL_H

struct winsize {
  unsigned short ws_row, ws_col;
};

enum { TIOCGWINSZ };
#define ioctl(descriptor, what, to) ((void)(to), -1)

#endif
