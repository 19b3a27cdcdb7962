// Loaded before the C library (LD_PRELOAD), it makes the n-th touch of the disk the last, or makes it fail.
//
//   FAULT_AT=n      which one: calls of write, pwrite, rename, fsync, ftruncate, mkdir, unlink and of open for writing count
//   FAULT=kill      the process dies just before it, as by kill -9
//   FAULT=torn      a write puts half of its bytes on the disk, then the process dies; anything else is `kill`
//   FAULT=full      from there on every write fails: the disk is full
//   FAULT=stop      the process stops just before it, as by kill -STOP, until somebody lets it go on
//   FAULT_COUNT=f   the number of touches is written to the file f at the end
//
// Only files are counted: what goes to a terminal or a pipe is not the disk's.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long touches;

static long number_of(const char* name) {
  const char* text = getenv(name);
  return text ? atol(text) : -1;
}

static int is(const char* kind) {
  const char* fault = getenv("FAULT");
  return fault && strcmp(fault, kind) == 0;
}

static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

/// Whether this touch is to fail for want of room.
static int touch(void) {
  const long now = atomic_fetch_add(&touches, 1) + 1;
  const long at = number_of("FAULT_AT");
  if (at < 0 || now < at) return 0;
  if (is("full")) return 1;
  if (now == at && is("stop")) kill(getpid(), SIGSTOP);
  else if (now == at) die();
  return 0;
}

static int on_disk(int file) {
  struct stat status;
  return fstat(file, &status) == 0 && S_ISREG(status.st_mode);
}

#define REAL(name, type) ((type)dlsym(RTLD_NEXT, name))

ssize_t write(int file, const void* bytes, size_t count) {
  ssize_t (*real)(int, const void*, size_t) = REAL("write", ssize_t (*)(int, const void*, size_t));
  if (!on_disk(file)) return real(file, bytes, count);
  if (is("torn") && atomic_load(&touches) + 1 == number_of("FAULT_AT")) real(file, bytes, count / 2);
  if (touch()) {
    errno = ENOSPC;
    return -1;
  }
  return real(file, bytes, count);
}

static ssize_t write_at(const char* name, int file, const void* bytes, size_t count, off_t where) {
  ssize_t (*real)(int, const void*, size_t, off_t) = REAL(name, ssize_t (*)(int, const void*, size_t, off_t));
  if (!on_disk(file)) return real(file, bytes, count, where);
  if (is("torn") && atomic_load(&touches) + 1 == number_of("FAULT_AT")) real(file, bytes, count / 2, where);
  if (touch()) {
    errno = ENOSPC;
    return -1;
  }
  return real(file, bytes, count, where);
}

ssize_t pwrite(int file, const void* bytes, size_t count, off_t where) {
  return write_at("pwrite", file, bytes, count, where);
}

ssize_t pwrite64(int file, const void* bytes, size_t count, off_t where) {
  return write_at("pwrite64", file, bytes, count, where);
}

int fsync(int file) {
  if (touch()) {
    errno = ENOSPC;
    return -1;
  }
  return REAL("fsync", int (*)(int))(file);
}

int rename(const char* from, const char* to) {
  touch();  // a full disk still lets one rename
  return REAL("rename", int (*)(const char*, const char*))(from, to);
}

int ftruncate(int file, off_t size) {
  touch();
  return REAL("ftruncate", int (*)(int, off_t))(file, size);
}

int unlink(const char* path) {
  touch();
  return REAL("unlink", int (*)(const char*))(path);
}

int mkdir(const char* path, mode_t mode) {
  if (touch()) {
    errno = ENOSPC;
    return -1;
  }
  return REAL("mkdir", int (*)(const char*, mode_t))(path, mode);
}

static int open_counted(const char* name, const char* path, int flags, mode_t mode) {
  if ((flags & O_CREAT) != 0 && touch()) {
    errno = ENOSPC;
    return -1;
  }
  return REAL(name, int (*)(const char*, int, ...))(path, flags, mode);
}

static mode_t mode_in(int flags, va_list list) { return (flags & O_CREAT) != 0 ? va_arg(list, mode_t) : 0; }

int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_in(flags, list);
  va_end(list);
  return open_counted("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_in(flags, list);
  va_end(list);
  return open_counted("open64", path, flags, mode);
}

__attribute__((destructor)) static void say_how_many(void) {
  const char* path = getenv("FAULT_COUNT");
  if (!path) return;
  FILE* file = fopen(path, "w");
  if (!file) return;
  fprintf(file, "%ld", atomic_load(&touches));
  fclose(file);
}
