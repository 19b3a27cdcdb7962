// Loaded before the C library (LD_PRELOAD), it lets the n-th request for memory fail, or all from there on.
//
//   NO_MEMORY_AT=n        which one, of malloc, calloc, realloc and the aligned ones, in all threads together
//   NO_MEMORY=once|since  that one alone, or that one and all that are larger than 4 KB after it
//   NO_MEMORY_COUNT=f     the number of requests is written to the file f at the end
//
// Counted is what main() asks for, and what it calls. What libraries set up before is not the program's to handle.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);

typedef int Main(int, char**, char**);

static atomic_long requests;
static atomic_int running;
static long at = -1;
static int since;
static Main* program;

static void tell(long counted) {
  const char* name = getenv("NO_MEMORY_COUNT");
  FILE* file = name ? fopen(name, "w") : NULL;
  if (!file) return;
  fprintf(file, "%ld", counted);
  fclose(file);
}

static int counted_main(int count, char** words, char** environment) {
  const char* text = getenv("NO_MEMORY_AT");
  const char* kind = getenv("NO_MEMORY");
  since = kind && strcmp(kind, "since") == 0;
  if (text) at = atol(text);
  atomic_store(&running, 1);
  const int code = program(count, words, environment);
  atomic_store(&running, 0);
  tell(atomic_load(&requests));
  return code;
}

/// Where every program begins; the argument list is glibc's.
int __libc_start_main(Main* main, int count, char** words, void (*before)(void), void (*after)(void),
                      void (*loader)(void), void* stack) {
  typedef int Start(Main*, int, char**, void (*)(void), void (*)(void), void (*)(void), void*);
  program = main;
  return ((Start*)dlsym(RTLD_NEXT, "__libc_start_main"))(counted_main, count, words, before, after, loader, stack);
}

static int refused(size_t size) {
  if (!atomic_load(&running)) return 0;
  const long now = atomic_fetch_add(&requests, 1) + 1;
  if (at < 0 || (now != at && !(since && now > at && size > 4096))) return 0;
  errno = ENOMEM;
  return 1;
}

void* malloc(size_t size) { return refused(size) ? NULL : __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return refused(count * size) ? NULL : __libc_calloc(count, size); }
void* realloc(void* old, size_t size) { return refused(size) ? NULL : __libc_realloc(old, size); }
void* memalign(size_t alignment, size_t size) { return refused(size) ? NULL : __libc_memalign(alignment, size); }
void* aligned_alloc(size_t alignment, size_t size) { return refused(size) ? NULL : __libc_memalign(alignment, size); }
int posix_memalign(void** result, size_t alignment, size_t size) {
  if (refused(size)) return ENOMEM;
  *result = __libc_memalign(alignment, size);
  return *result ? 0 : ENOMEM;
}
