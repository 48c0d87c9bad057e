/// What a rule is about, and what to do, for somebody who has not met it.
struct LintGuide {
  let meaning: String
  /// Nil where the messages of the rule end with it, behind a semicolon.
  var wayOut: String?

  /// Nil for a rule of another program.
  init?(rule: String) {
    guard let guide = Self.guides[rule] else { return nil }
    self = guide
  }

  private init(_ meaning: String, _ wayOut: String? = nil) {
    (self.meaning, self.wayOut) = (meaning, wayOut)
  }

  private static let guides = [
    "blocked-thread": LintGuide(
      "A thread stood parked for a step: it could do nothing else, and a pool has only a few of them."
    ),
    "clock-escape": LintGuide(
      "Code went on outside the run's clock, so that its times are not the clock's.",
      "take time and threads from the runtime"),
    "commit-cycle": LintGuide(
      "Commits made further commits, so that the end of the turn never came.",
      "commit what follows in the next turn, or see that it comes to an end"),
    "completed-twice": LintGuide(
      "A step called its completion a second time.",
      "call it exactly once on every path, also where a timeout and an answer race"),
    "completion-dropped": LintGuide(
      "A step let its completion go without calling it: whoever waits for it waits for ever.",
      "call it on every path, also where something fails or is called off"),
    "early-notification": LintGuide(
      "A pattern said that all its steps had ended while some still ran."),
    "late-cancel": LintGuide(
      "A step went on for long after it had been called off.",
      "look at isCancelled in long work, or take notice with onCancel"),
    "lost-commit": LintGuide("What was committed was not there when the set was flushed."),
    "lost-wakeup": LintGuide("Something was ready, and nobody was woken for it."),
    "missing-did-display": LintGuide("A drawing was announced, and its end was not."),
    "never-completed": LintGuide("A step started and had not completed when the run ended."),
    "overlap": LintGuide("Steps that should follow one another ran at the same time."),
    "priority-inversion": LintGuide(
      "Something urgent waited for something that is not.",
      "give what is waited for the priority of whoever waits"),
    "starvation": LintGuide("Something was ready to run and found no worker for it."),
    "thread-explosion": LintGuide(
      "More threads were made than there is work for.", "bound how many run at once"),
    "unbalanced-leave": LintGuide(
      "A group was left more often than entered, or the other way round.",
      "leave exactly once for each enter, on every path"),
    "unhandled-failure": LintGuide(
      "Something failed, and nobody took notice.",
      "handle the failure, or say that it is not to be: ignoringFailure()"),
    "wasted-drawing": LintGuide("Much was drawn that was never shown."),
  ]
}
