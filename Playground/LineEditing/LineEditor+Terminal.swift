import CReadline

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension LineEditor {
  /// What must not end or stop the program while readline has the terminal, at least not before it
  /// has given it back. While a run goes on they do what they always do.
  var promptingSignals: [Int32] { [SIGTSTP, SIGCONT, SIGWINCH, SIGQUIT] }

  /// Whether the terminal can do nothing but print.
  var isDumbTerminal: Bool {
    guard let name = rl_get_termcap("cl") else { return true }
    return name[0] == 0
  }

  /// Takes the line being typed off the screen.
  func clearPrompt() {
    if isDumbTerminal {
      fputs("\n", creadline_output())
    } else {
      rl_clear_visible_line()
    }
    fflush(creadline_output())
  }

  /// Draws the line being typed anew, where the cursor stands.
  func redrawPrompt() {
    rl_on_new_line()
    rl_redisplay()
  }

  /// Moves below the line being typed and leaves it standing there.
  func leaveLine() {
    creadline_set_point(creadline_line_length())
    rl_redisplay()
    fputs("\n", creadline_output())
    fflush(creadline_output())
    creadline_discard_line()
  }

  /// - Parameter isCalledOff: whether it was Ctrl-C, and called off what went on.
  func received(signal number: Int32, isCalledOff: Bool) {
    guard isStarted, !HeldTerminal.isGone else { return }
    switch number {
    case SIGINT where isCalledOff: onCalledOff()
    case SIGINT: interrupt()
    case SIGWINCH where isPrompting: rl_resize_terminal()
    case SIGCONT where isPrompting: retakeTerminal()
    case SIGTSTP where isPrompting:
      clearPrompt()
      creadline_restore_terminal()
      // SIGCONT needs no handler of its own here: what is to be done then comes next.
      signals?.release([SIGTSTP, SIGCONT])
      kill(getpid(), SIGTSTP)
      // Stopped and continued; or at once, where nobody could continue it.
      signals?.handle([SIGTSTP, SIGCONT])
      retakeTerminal()
    // SIGQUIT among them: as in a shell, Ctrl-\ at the prompt does nothing.
    default: break
    }
  }

  /// Whoever had the terminal meanwhile left it in a state of its own, and in a size of its own.
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
