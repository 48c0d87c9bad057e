import AsyncPatterns

/// Observes what an event loop chooses to do next, and what else it could have chosen.
protocol ChoiceObserver: AnyObject {
  /// Called before the loop carries out the candidate with that number. The candidates are still in their places.
  func chose(_ number: Int, among candidates: [ReadyQueues.Position], in loop: EventLoop)
  /// Called before a step continues after a sleep that could have ended in several ways.
  func chose(_ number: Int, among ends: [SleepEnd], of span: Span, in loop: EventLoop)
  /// The candidate that was chosen last had been cancelled, so nothing happened.
  func retract()
  /// Called before the run is cancelled between two events.
  func willCancel(in loop: EventLoop)
}
