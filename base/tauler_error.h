/* The errors of the program, and the sentences that explain them.
 *
 * Library functions neither print errors nor end the process: they return a tauler_error. The function that
 * knows the context also writes a sentence for the user into the caller's tauler_message: what is wrong,
 * where, and what to do. Characters with which a text could control a terminal are escaped. The module owns
 * no memory and keeps no state; any thread may call every function.
 */
#ifndef TAULER_ERROR_H
#define TAULER_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

/* Makes the compiler warn if an error is ignored. In C, GCC knows [[nodiscard]] from version 10 on. */
#if defined(__GNUC__) && __GNUC__ >= 10
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#define TAULER_MUST_CHECK [[nodiscard]]
#elif defined(__clang__)
#define TAULER_MUST_CHECK __attribute__((warn_unused_result))
#else
#define TAULER_MUST_CHECK
#endif

typedef enum TAULER_MUST_CHECK {
  TAULER_OK = 0,
  TAULER_NOT_PROVEN,    /* a claim or the logic of a table does not hold */
  TAULER_BAD_USAGE,     /* a wrong option, rule set, slice or path, or options that contradict each other */
  TAULER_BAD_POSITION,  /* a position or a line of moves that cannot be read or is illegal */
  TAULER_DAMAGED_FILE,  /* a table or other file with wrong content */
  TAULER_TABLE_MISSING, /* no table has the position asked for, or a file is missing */
  TAULER_NO_MEMORY,     /* not enough memory, or more than the limit set */
  TAULER_NO_SPACE,      /* the disk is full, or a quota or file size limit is reached */
  TAULER_IO,            /* reading, writing or sending failed */
  TAULER_STOPPED,       /* stopped on request or after too long a wait: run the command again */
  TAULER_INTERNAL,      /* a state that the program itself rules out */
  TAULER_UNAVAILABLE,   /* a needed program, package or part of the build is missing or of another version */
  TAULER_BUSY           /* another process works in the folder: run the command again later */
} tauler_error;
#if defined(__GNUC__) && __GNUC__ >= 10
#pragma GCC diagnostic pop
#endif

typedef struct {
  char text[1024]; /* one sentence, NUL-terminated, valid only after an error */
} tauler_message;

/* Returns the documented exit code of an error: 0, 1, 64, 65, 66, 69, 70, 74 or 75. */
int tauler_exit_code(tauler_error error);

/* Returns the error of a failed system call with this errno: TAULER_NO_MEMORY, TAULER_NO_SPACE or TAULER_IO.
 */
tauler_error tauler_errno_error(int cause);

/* Returns a short English name of an error, such as "table missing"; never NULL. */
const char *tauler_error_name(tauler_error error);

/* Writes the sentence into message (which may be NULL) and returns error, so that a function can end with
 * `return tauler_fail(message, TAULER_IO, "cannot read %s: %s", path, strerror(errno));`. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
tauler_error
tauler_fail(tauler_message *message, tauler_error error, const char *format, ...);

#ifdef __cplusplus
}
#endif
#endif
