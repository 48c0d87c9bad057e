import CReadline

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension LineEditor {
  /// The signals that the editor handles only while readline uses the terminal. For example, it restores the terminal
  /// before the program stops. While a block runs, these signals have their usual effect.
  var promptingSignals: [Int32] { [SIGTSTP, SIGCONT, SIGWINCH] }

  /// Whether the terminal can only print text, without cursor movement.
  var isDumbTerminal: Bool {
    guard let name = rl_get_termcap("cl") else { return true }
    return name[0] == 0
  }

  /// Removes the line being typed from the screen.
  func clearPrompt() {
    if isDumbTerminal {
      fputs("\n", creadline_output())
    } else {
      rl_clear_visible_line()
    }
    fflush(creadline_output())
  }

  /// Draws the line being typed again at the cursor.
  func redrawPrompt() {
    rl_on_new_line()
    rl_redisplay()
  }

  /// Moves the cursor below the line being typed and leaves that line on the screen.
  func leaveLine() {
    creadline_set_point(creadline_line_length())
    rl_redisplay()
    fputs("\n", creadline_output())
    fflush(creadline_output())
    creadline_discard_line()
    // Otherwise readline would take the rows of the line for its own, and clear them.
    rl_on_new_line()
  }

  /// - Parameter isCancelled: whether the signal was SIGINT and ``onSignal`` has cancelled something.
  func received(signal number: Int32, isCancelled: Bool) {
    guard isStarted, !HeldTerminal.isGone else { return }
    switch number {
    case SIGINT where isCancelled: onCancelled()
    case SIGINT: interrupt()
    case SIGWINCH where isPrompting: rl_resize_terminal()
    case SIGCONT where isPrompting: retakeTerminal()
    case SIGTSTP where isPrompting:
      clearPrompt()
      creadline_restore_terminal()
      // SIGCONT needs no handler here: the code after `kill` runs when the program continues.
      signals?.release([SIGTSTP, SIGCONT])
      kill(getpid(), SIGTSTP)
      // By now, the program has stopped and continued, unless it has no shell that could continue it.
      signals?.handle([SIGTSTP, SIGCONT])
      retakeTerminal()
    default: break
    }
  }

  /// Takes the terminal back. Another program may have changed its mode and its size in the meantime.
  private func retakeTerminal() {
    creadline_prepare_terminal()
    HeldTerminal.isTaken()
    rl_reset_screen_size()
    rl_on_new_line()
    rl_forced_update_display()
  }

  private func interrupt() {
    guard isPrompting else { return onInterrupt() }
    let hadText = unfinished != nil || creadline_line_length() > 0
    creadline_set_point(creadline_line_length())
    rl_redisplay()
    rl_echo_signal_char(SIGINT)
    leaveLine()
    unfinished = nil
    call { if !hadText { $0.onInterrupt() } }
  }
}
