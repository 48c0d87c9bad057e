/// Sees what an event loop chooses to do next, and what else it could have chosen.
protocol ChoiceObserver: AnyObject {
  /// Called before the loop carries out the candidate with that number.
  func chose(_ number: Int, among candidates: [ReadyQueues.Candidate], in loop: EventLoop)
  /// The candidate that was chosen last had been cancelled: nothing came of it.
  func retract()
  /// Called before the run is cancelled in between.
  func willCancel(in loop: EventLoop)
}
