#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "CPlaygroundAgent.h"
#include "CSwiftTasks.h"

// Backtraces that are shown to people leave out the code in this section.
#pragma clang section text = "playground_agent_code"

// Both functions are written in Swift. The agent installs its functions before it starts.
extern void swift_tasks_install(void);
extern void playground_agent_start(void);

// Runs before `main`, and after the constructors of all libraries.
__attribute__((constructor)) static void start(void) {
  swift_tasks_install();
  playground_agent_start();
}

// The numbers of the forking thread before and after a fork.
struct ThreadNumbers { pid_t before, after; };

// Replaces the number of the calling thread in the thread-local variables of a library.
static int replaceThreadNumber(struct dl_phdr_info *library, size_t size, void *argument) {
  const struct ThreadNumbers *numbers = argument;
  // The C library corrects its own variables.
  if (!library->dlpi_tls_data || strstr(library->dlpi_name, "/libc.so")) return 0;
  for (int index = 0; index < library->dlpi_phnum; index++) {
    const ElfW(Phdr) *part = &library->dlpi_phdr[index];
    if (part->p_type != PT_TLS) continue;
    pid_t *words = library->dlpi_tls_data;
    for (size_t word = 0; word < part->p_memsz / sizeof *words; word++)
      if (words[word] == numbers->before) words[word] = numbers->after;
  }
  return 0;
}

// The Swift runtime keeps the number of a thread in a thread-local variable, and writes it into its locks. The kernel
// refuses to release a lock that holds the number of the old process, if another thread waits for the lock.
pid_t playground_agent_fork(void) {
  struct ThreadNumbers numbers = {.before = gettid()};
  pid_t process = fork();
  if (process == 0) {
    numbers.after = gettid();
    dl_iterate_phdr(replaceThreadNumber, &numbers);
  }
  return process;
}

void playground_agent_endWithParent(void) { prctl(PR_SET_PDEATHSIG, SIGKILL); }

int playground_agent_memoryFile(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

static const int crashSignals[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS};

static void (*reportFatal)(void);

static void onFatal(int signal) {
  // A further signal ends the process, even during the report.
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigaction(signal, &action, NULL);
  if (reportFatal) reportFatal();
  raise(signal);
}

void playground_agent_onFatalSignal(void (*report)(void)) {
  // A stack that has overflowed cannot hold the handler.
  static char stack[1 << 18];
  stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&own, NULL);
  reportFatal = report;
  for (size_t index = 0; index < sizeof crashSignals / sizeof *crashSignals; index++) {
    struct sigaction action = {.sa_handler = onFatal, .sa_flags = SA_ONSTACK | SA_NODEFER};
    sigaction(crashSignals[index], &action, NULL);
  }
}

// The handlers that crashes had before, by their signals.
static struct sigaction crashHandlers[NSIG];

static void onCrash(int signal, siginfo_t *information, void *context) {
  swift_tasks_recordCrash();
  struct sigaction *handler = &crashHandlers[signal];
  if (handler->sa_flags & SA_SIGINFO) handler->sa_sigaction(signal, information, context);
  else handler->sa_handler(signal);
}

void playground_agent_recordCrashes(void) {
  for (size_t index = 0; index < sizeof crashSignals / sizeof *crashSignals; index++) {
    int signal = crashSignals[index];
    struct sigaction *handler = &crashHandlers[signal];
    // Without a handler, a crash ends the process immediately.
    if (sigaction(signal, NULL, handler) || handler->sa_handler == SIG_DFL || handler->sa_handler == SIG_IGN) continue;
    struct sigaction action = *handler;
    action.sa_flags |= SA_SIGINFO;
    action.sa_sigaction = onCrash;
    sigaction(signal, &action, NULL);
  }
}

static void (*reportDue)(void);
static uintptr_t (*findCarrier)(void);

bool playground_agent_isMainThread(void) { return getpid() == gettid(); }

static void onAlarm(int signal) {
  pthread_t carrier = findCarrier();
  if (carrier && !pthread_equal(carrier, pthread_self())) {
    // The report is about the thread that runs the program. A thread can only examine its own stack.
    pthread_kill(carrier, signal);
    return;
  }
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigaction(signal, &action, NULL);
  // This second alarm ends the process if the report hangs.
  alarm(5);
  reportDue();
}

void playground_agent_after(double seconds, void (*isDue)(void), uintptr_t (*carrier)(void)) {
  reportDue = isDue;
  findCarrier = carrier;
  struct sigaction action = {.sa_handler = onAlarm};
  sigaction(SIGALRM, &action, NULL);
  struct itimerval timer = {.it_value = {(time_t)seconds, (suseconds_t)((seconds - (time_t)seconds) * 1e6)}};
  setitimer(ITIMER_REAL, &timer, NULL);
}

static volatile sig_atomic_t isInterrupted;

static void interrupt(int signal) { isInterrupted = 1; }

void playground_agent_listenForInterruption(void) {
  // There is no SA_RESTART, so that the signal ends waiting calls.
  struct sigaction action = {.sa_handler = interrupt};
  sigaction(SIGTERM, &action, NULL);
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  sigaction(SIGINT, &ignore, NULL);
}

bool playground_agent_isInterrupted(void) { return isInterrupted; }

int playground_agent_backtrace(void **addresses, int limit) { return backtrace(addresses, limit); }

extern const char __start_playground_agent_code, __stop_playground_agent_code;
// The start of a section that exists only if the agent is linked into the program.
extern const char __start_playground_agent __attribute__((weak));

bool playground_agent_isOwn(const void *address) {
  const char *place = address;
  if (place >= &__start_playground_agent_code && place < &__stop_playground_agent_code) return true;
  if (&__start_playground_agent) return false;
  return swift_tasks_imageIdentity(address) == swift_tasks_imageIdentity((const void *)playground_agent_isOwn);
}

typedef struct {
  uintptr_t start, address;
} Place;

static int holds(struct dl_phdr_info *image, size_t size, void *argument) {
  const Place *place = argument;
  bool begins = false, isInside = false;
  for (int index = 0; index < image->dlpi_phnum; index++) {
    const ElfW(Phdr) *part = &image->dlpi_phdr[index];
    if (part->p_type != PT_LOAD) continue;
    uintptr_t start = image->dlpi_addr + part->p_vaddr, page = getpagesize();
    if (part->p_offset == 0 && start / page * page == place->start) begins = true;
    bool isReadable = part->p_flags & PF_R;
    if (isReadable && place->address >= start && place->address + sizeof(void *) <= start + part->p_filesz) {
      isInside = true;
    }
  }
  return begins && isInside;
}

bool playground_agent_isLoaded(uintptr_t address, uintptr_t start) {
  Place place = {start, address};
  return dl_iterate_phdr(holds, &place);
}

extern char *swift_demangle(const char *, size_t, char *, size_t *, uint32_t);

char *playground_agent_demangled(const char *symbol) {
  return swift_demangle(symbol, strlen(symbol), NULL, NULL, 0);
}
