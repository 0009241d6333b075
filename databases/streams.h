/* Names of the streams of a solved slice of a game without dice. */
#ifndef DATABASES_STREAMS_H
#define DATABASES_STREAMS_H

#define STREAM_VALUE "value"
#define STREAM_LOWER "lower"
#define STREAM_UPPER "upper"
#define STREAM_DEPTH "depth"
#define STREAM_DEPTH_LOWER "depth-lower"
#define STREAM_DEPTH_UPPER "depth-upper"

#endif
