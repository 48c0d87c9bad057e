// A library that is loaded before a program, and makes one of its system calls fail: see Scripts/faults.
//
//   FAULT_CALL      the call that fails: write, pwrite, ftruncate, fsync, rename, open, mmap or fork
//   FAULT_AT        which call of that kind fails, from 1; 0 counts the calls only
//   FAULT_COUNT     a file that gets the number of calls, as eight bytes in the byte order of the machine
//   FAULT_PROGRAM   the name of the affected program, without its folder; any by default
//
// Only the first process of that program is affected. A call of a kind fails once, with an error that is possible for
// it.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_long calls;
// The file that gets the number of calls; it is written at each call, so that it is right however the program ends.
static int counter = -1;
static long chosen;
static const char *kind;
static pid_t owner;

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

// Reads the settings once: when the library starts, or earlier if the constructor of another library makes a call.
static void readSettings(void) {
  static atomic_flag isStarted = ATOMIC_FLAG_INIT;
  if (atomic_flag_test_and_set(&isStarted)) return;
  const char *at = getenv("FAULT_AT");
  const char *wanted = getenv("FAULT_CALL");
  const char *first = getenv("FAULT_OWNER");
  const char *program = getenv("FAULT_PROGRAM");
  owner = getpid();
  // The process may replace its program by another one, and is still the first process.
  if (!wanted || (first && atol(first) != owner)) return;
  if (program && strcmp(program, program_invocation_short_name) != 0) return;
  chosen = at ? atol(at) : 0;
  const char *count = getenv("FAULT_COUNT");
  // A high number, so that the program gets the same descriptors as without this library.
  int file = count ? (int)syscall(SYS_openat, AT_FDCWD, count, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) : -1;
  if (file >= 0) {
    counter = (int)syscall(SYS_fcntl, file, F_DUPFD_CLOEXEC, 900);
    syscall(SYS_close, file);
  }
  kind = wanted;
}

// Excludes the children of this process. This must not happen earlier: it moves the environment, and Swift finds the
// arguments of the program beside the environment.
__attribute__((constructor)) static void start(void) {
  readSettings();
  if (!kind) return;
  char number[24];
  snprintf(number, sizeof number, "%d", (int)owner);
  setenv("FAULT_OWNER", number, 1);
}

// Whether this call fails.
static int fails(const char *name) {
  readSettings();
  if (!kind || strcmp(kind, name) != 0 || getpid() != owner) return 0;
  long number = atomic_fetch_add(&calls, 1) + 1;
  if (counter >= 0) syscall(SYS_pwrite64, counter, &number, sizeof number, 0);
  return number == chosen;
}

// Whether a write can fail: to a file, or to the output of the program. A write to a pipe that wakes a thread cannot.
static int mayFail(int descriptor) {
  struct stat status;
  if (descriptor == 1 || descriptor == 2) return 1;
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  if (mayFail(descriptor) && fails("write")) {
    errno = ENOSPC;
    return -1;
  }
  return syscall(SYS_write, descriptor, bytes, count);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t place) {
  if (fails("pwrite")) {
    errno = ENOSPC;
    return -1;
  }
  return syscall(SYS_pwrite64, descriptor, bytes, count, place);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off_t place) {
  return pwrite(descriptor, bytes, count, place);
}

int ftruncate(int descriptor, off_t size) {
  if (fails("ftruncate")) {
    errno = ENOSPC;
    return -1;
  }
  return (int)syscall(SYS_ftruncate, descriptor, size);
}

int ftruncate64(int descriptor, off_t size) { return ftruncate(descriptor, size); }

int fsync(int descriptor) {
  if (fails("fsync")) {
    errno = EIO;
    return -1;
  }
  return (int)syscall(SYS_fsync, descriptor);
}

int rename(const char *from, const char *to) {
  if (fails("rename")) {
    errno = ENOSPC;
    return -1;
  }
  return (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
}

// Whether a path is the state of a thread of this process. Only Dispatch opens it, and crashes the program if that fails.
static int isReadByDispatch(const char *path) {
  int thread = 0, end = 0;
  sscanf(path, "/proc/%d/stat%n", &thread, &end);
  return end > 0 && !path[end] && syscall(SYS_tgkill, getpid(), thread, 0) == 0;
}

static int openOf(int folder, const char *path, int flags, mode_t mode) {
  if (!isReadByDispatch(path) && fails("open")) {
    errno = EMFILE;
    return -1;
  }
  return (int)syscall(SYS_openat, folder, path, flags, mode);
}

// O_TMPFILE contains O_DIRECTORY.
#define MODE(flags, last)                                              \
  mode_t mode = 0;                                                     \
  if (((flags) & O_CREAT) || ((flags) & O_TMPFILE) == O_TMPFILE) {     \
    va_list rest;                                                      \
    va_start(rest, last);                                              \
    mode = va_arg(rest, mode_t);                                       \
    va_end(rest);                                                      \
  }

int open(const char *path, int flags, ...) {
  MODE(flags, flags)
  return openOf(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  MODE(flags, flags)
  return openOf(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
  MODE(flags, flags)
  return openOf(folder, path, flags, mode);
}

void *mmap(void *place, size_t length, int access, int flags, int descriptor, off_t offset) {
  if (fails("mmap")) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return (void *)syscall(SYS_mmap, place, length, access, flags, descriptor, offset);
}

void *mmap64(void *place, size_t length, int access, int flags, int descriptor, off_t offset) {
  return mmap(place, length, access, flags, descriptor, offset);
}

pid_t fork(void) {
  if (fails("fork")) {
    errno = EAGAIN;
    return -1;
  }
  return ((pid_t(*)(void))next("fork"))();
}

typedef int (*Spawn)(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
                     char *const[], char *const[]);

int posix_spawn(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
  if (fails("fork")) return EAGAIN;
  return ((Spawn)next("posix_spawn"))(process, path, actions, attributes, arguments, environment);
}

int posix_spawnp(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const arguments[], char *const environment[]) {
  if (fails("fork")) return EAGAIN;
  return ((Spawn)next("posix_spawnp"))(process, path, actions, attributes, arguments, environment);
}
