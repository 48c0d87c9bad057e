/// What a coordinated run is to do once its lock has been let go of.
struct CoordinatedEffects: Sendable {
  /// Whose conditions are to be asked.
  var asks: [Int32] = []
  /// What is to start where the caller is.
  var starts: [Int32] = []
  var wakesWorker = false
  /// What tells running operations that they are called off.
  var cancellations: [Cancellation] = []
  /// To be let go of, which may let go of something of a user's.
  var discarded: [Cancellation] = []
  var timers: [any Cancellable] = []
  /// What is to be tried again, and when.
  var delays: [(operation: Int32, attempt: Int, delay: Duration)] = []
  /// For those who observe the run, in order.
  var events: [GraphEvent] = []
  /// Runs in which an operation stands for one that has ended here.
  var watchers: [(watcher: RemoteWatcher, ending: Ending)] = []
  /// Runs that wait for resources which may be there now.
  var lookers: [any ResourceUser] = []
  /// For those who follow the progress.
  var progress: (progress: GraphProgress, version: Int)?
  /// Whether nothing happens any more unless somebody else does something.
  var isAtRest = false
  var conclusion: Conclusion?

  /// What a run has come to.
  struct Conclusion: Sendable {
    var failure: (any Error)?
    /// Nil if all have succeeded.
    var endings: [Ending]?
  }
}
