/* Declarations shared by making frames and writing them. Private to databases/. */
#ifndef DATABASES_TABLE_WRITER_H
#define DATABASES_TABLE_WRITER_H

#include "databases/cell_histogram.h"
#include "databases/table_frames.h"

/* The header at the start of writing: a copy of the first group, and the second as far as it is known. */
void table_start_header(table_header *to, const table_header *from, const table_write_settings *settings);

/* Refuses headers and settings that contradict themselves. */
tauler_error table_check_request(const char *path, const table_header *header,
                                 const table_write_settings *settings, tauler_message *message);

/* As table_writer_add, but also receives the cells of the frames. They are digested here, and
 * table_writer_count counts them. */
tauler_error table_writer_append(table_writer *writer, const table_frames *frames, const void *stored,
                                 const void *plain, tauler_message *message);
void table_writer_count(table_writer *writer, const cell_histogram *histogram);

#endif
