/*
 * Forced on every translation unit by the build (-include). Each function
 * here has a safer way in lib/base or in libc; using it is a compile error
 * whose text names the way. The idea is git's banned.h.
 */
#ifndef BASE_BANNED_H
#define BASE_BANNED_H

/* The headers that declare them come first, so that only uses are hit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BANNED(name, use) name##_is_banned_use_##use

#undef strcpy
#define strcpy(a, b) BANNED(strcpy, buf_add)
#undef strcat
#define strcat(a, b) BANNED(strcat, buf_add)
#undef strncpy
#define strncpy(a, b, n) BANNED(strncpy, snprintf)
#undef strncat
#define strncat(a, b, n) BANNED(strncat, snprintf)
#undef sprintf
#define sprintf(...) BANNED(sprintf, snprintf)
#undef vsprintf
#define vsprintf(...) BANNED(vsprintf, vsnprintf)
#undef sscanf
#define sscanf(...) BANNED(sscanf, a_parser)
#undef gets
#define gets(a) BANNED(gets, fgets)
#undef atoi
#define atoi(a) BANNED(atoi, a_number_reader_with_a_maximum)
#undef atol
#define atol(a) BANNED(atol, a_number_reader_with_a_maximum)
#undef atoll
#define atoll(a) BANNED(atoll, a_number_reader_with_a_maximum)
#undef atof
#define atof(a) BANNED(atof, a_number_reader_with_a_maximum)
#undef strtol
#define strtol(a, b, c) BANNED(strtol, a_number_reader_with_a_maximum)
#undef strtoul
#define strtoul(a, b, c) BANNED(strtoul, a_number_reader_with_a_maximum)
#undef strtoll
#define strtoll(a, b, c) BANNED(strtoll, a_number_reader_with_a_maximum)
#undef strtoull
#define strtoull(a, b, c) BANNED(strtoull, a_number_reader_with_a_maximum)
#undef strtok
#define strtok(a, b) BANNED(strtok, strtok_r)
#undef gmtime
#define gmtime(a) BANNED(gmtime, gmtime_r)
#undef localtime
#define localtime(a) BANNED(localtime, localtime_r)
#undef ctime
#define ctime(a) BANNED(ctime, strftime)
#undef asctime
#define asctime(a) BANNED(asctime, strftime)

#endif
