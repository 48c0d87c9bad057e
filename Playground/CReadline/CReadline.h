#ifndef CREADLINE_H
#define CREADLINE_H

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <readline/readline.h>
#include <readline/history.h>

// Readline keeps its state in global variables, which Swift 6 does not accept. Every access to
// one is a function here. All of them belong to the main thread.

/// Sets what must be set before readline initializes itself. `name` must live as long as the program.
static inline void creadline_configure(
    const char *name, rl_completion_func_t *complete, rl_compdisp_func_t *display) {
  rl_readline_name = name;
  // Readline's own handlers are in place only while it reads a character; the program has better ones.
  rl_catch_signals = 0;
  rl_catch_sigwinch = 0;
  // LINES and COLUMNS: setenv would race with getenv on other threads.
  rl_change_environment = 0;
  rl_attempted_completion_function = complete;
  rl_completion_display_matches_hook = display;
  // No character ends a word here, so the "word" is all the text before the cursor. The function
  // `complete` decides where the real word starts.
  rl_completer_word_break_characters = "";
  rl_completer_quote_characters = NULL;
  rl_sort_completion_matches = 0;
}

/// Notifies readline that the result of the running completion function is final and needs nothing appended.
static inline void creadline_completion_is_final(void) {
  rl_attempted_completion_over = 1;
  rl_completion_suppress_append = 1;
  rl_filename_completion_desired = 0;
}

static inline FILE *creadline_output(void) { return rl_outstream ? rl_outstream : stdout; }

static inline void creadline_warn(const char *text) { fputs(text, stderr); }

static inline const char *creadline_line(void) { return rl_line_buffer ? rl_line_buffer : ""; }
static inline int creadline_line_length(void) { return rl_end; }
static inline int creadline_point(void) { return rl_point; }
static inline void creadline_set_point(int point) {
  rl_point = point < 0 ? 0 : point > rl_end ? rl_end : point;
}
static inline int creadline_columns(void) {
  int rows = 0, columns = 0;
  rl_get_screen_size(&rows, &columns);
  return columns;
}

/// Whether standard input can be read without waiting, or has come to its end.
static inline int creadline_input_is_waiting(void) {
  struct pollfd input = {fileno(rl_instream ? rl_instream : stdin), POLLIN, 0};
  return poll(&input, 1, 0) > 0;
}

/// Discards the line, its undo list and any unfinished operation of readline.
static inline void creadline_discard_line(void) {
  rl_callback_sigcleanup();
  rl_free_line_state();
  rl_replace_line("", 1);
}

/// Shows the prompt, and calls `take` with the line that is then read.
static inline void creadline_install(const char *prompt, rl_vcpfunc_t *take) {
  // Otherwise readline would print a newline after each line, as after the end of the input.
  rl_eof_found = 0;
  rl_callback_handler_install(prompt, take);
}

static inline void creadline_prepare_terminal(void) {
  if (rl_prep_term_function) rl_prep_term_function(1);
}
static inline void creadline_restore_terminal(void) {
  if (rl_deprep_term_function) rl_deprep_term_function();
}

#endif
