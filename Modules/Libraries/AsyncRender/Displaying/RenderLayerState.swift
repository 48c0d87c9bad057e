internal import AsyncRuntime

/// The state of a layer's displays: what was requested, what is in progress, and what is shown.
///
/// The state only makes decisions. Each method changes the state and adds to `effects` the work to
/// do after unlocking.
///
/// A display starts on the main lane (`preparing`), waits for a drawing lane (`queued`), is drawn
/// (`drawing`), and waits for the main lane (`drawn`). Cancelling a display removes it from
/// `current`. Code that later looks for the display by its number does not find it, and calls
/// `didDisplay(false)`. For a `queued` display, only a drawing lane would do that, and the lane has
/// no other reason to run. So in that phase the code that cancels also ends the display
/// (`Effects.ended`).
///
/// Invariant whenever the lock is free: a layer that is ready to display has a place in the next display pass.
struct RenderLayerState: Sendable {
  typealias Handler = @Sendable (Result<Picture?, DisplayError>) -> Void

  /// The settings of a drawing that are not part of its `DisplayTask`.
  struct Look: Hashable, Sendable {
    var size: Size
    var scale: Double
    var isOpaque: Bool

    /// Whether there is nothing to draw on: less than one unit in either direction.
    var isEmpty: Bool { !(size.width >= 1 && size.height >= 1) }
  }

  /// The value that the sentinel has as long as a drawing is wanted.
  struct SentinelValue: Sendable {
    let sentinel: Sentinel
    let value: UInt64
  }

  enum Phase: Equatable, Sendable { case preparing, queued, drawing, drawn }

  /// A display that is in progress and wanted.
  struct Display: Sendable {
    /// Distinguishes the display from others of the same layer.
    let number: UInt64
    /// The last request that it covers.
    let request: UInt64
    var phase = Phase.preparing
    var drawing: Drawing?
    /// The time that was spent drawing it.
    var duration = Duration.zero
  }

  /// The work to do after unlocking.
  struct Effects: Sendable {
    /// Whether the layer has got a place in the next display pass.
    var entersPass = false
    /// The drawing that was cancelled while it was drawn. It must leave its round, and its cancellation
    /// handlers must be called.
    var interrupted: Drawing?
    /// The drawing that ended without being drawn. `didDisplay` must be called on the main lane.
    var ended: Drawing?
    /// The handlers to call on the main lane, with their results.
    var calls: [(handler: Handler, result: Result<Picture?, DisplayError>)] = []
    /// The picture that was shown, and is no longer shown.
    var released: Picture?
    /// The counts to add to the metrics.
    var metrics = DisplayMetrics() {
      didSet { hasMetrics = true }
    }
    /// Whether there are counts to add.
    private(set) var hasMetrics = false
  }

  var look: Look
  /// From 0 to 1.
  var opacity = 1.0 {
    didSet { opacity = opacity.isNaN ? oldValue : min(max(opacity, 0), 1) }
  }
  var displaysAsynchronously = true
  var policy = DisplayPolicy.cancelLatest
  var priority = Priority.normal
  var group: DisplayGroup?
  var onContentsChange: (@Sendable (Picture?) -> Void)?
  var onFailure: (@Sendable (DrawingError) -> Void)?
  /// The sequences of contents; nil until there is one.
  var contentsUpdates: Broadcast<Picture?>?
  var metrics = DisplayMetrics()

  /// What the layer shows.
  var contents: Picture?
  /// The number of the display that set the contents.
  var contentsNumber: UInt64 = 0
  /// Notifies drawings that they are cancelled. It is the only part of the state that is read without the lock.
  let sentinel = Sentinel()

  /// Whether there is a request that no display has covered yet.
  var isMarked = false
  var isSuspended = false
  var isGone = false
  /// Whether the layer has a place in the next display pass.
  var isInPass = false
  /// Whether a display of the layer is on the stack of the main lane. If so, another one must wait
  /// for the next turn.
  var isOnStack = false
  var current: Display?
  var displayCount: UInt64 = 0
  /// The number of drawings that requests have cancelled since a drawing was last shown.
  var cancelledInARow = 0

  /// The number of the last request. The next three properties hold that of the last request that was shown, cancelled
  /// or failed. All numbers only increase.
  var requested: UInt64 = 0
  var shown: UInt64 = 0
  var cancelledUpTo: UInt64 = 0
  var failure: (request: UInt64, error: DrawingError)?
  /// The number of failed displays, and the number of the last failure that was reported to a waiting handler.
  var failureCount: UInt64 = 0
  var reportedFailures: UInt64 = 0

  /// The waiting handlers, by a number that only increases.
  var waiters: [UInt64: (request: UInt64, handler: Handler)] = [:]
  var waiterCount: UInt64 = 0

  init(look: Look) { self.look = look }

  /// The error of the last display that was not cancelled; nil if it succeeded, and before the first one.
  var error: DrawingError? { failure?.error }

  /// Whether a display that is still wanted is in progress.
  var isDisplaying: Bool { current != nil || isOnStack }

  // MARK: Asking

  /// - Parameter isElsewhere: whether the request comes from another lane than the main one.
  /// - Returns: the number of the request.
  mutating func request(isElsewhere: Bool = false, _ effects: inout Effects) -> UInt64 {
    requested += 1
    effects.metrics.requested += 1
    if isMarked { effects.metrics.coalesced += 1 }
    isMarked = true
    // A request during the preparation of a display does not cancel it, because the display uses the current values. A
    // request from another lane does, because a value that the display has already read may have changed.
    if let current, current.phase != .preparing || isElsewhere { supersede(&effects) }
    return requested
  }

  /// Cancels the display in progress, unless the policy protects it.
  mutating func supersede(_ effects: inout Effects) {
    if policy.protects(after: cancelledInARow) { return }
    cancelledInARow += 1
    cancelCurrent(&effects)
  }

  /// Whether a display could start.
  var isReady: Bool {
    isMarked && !isSuspended && !isGone && !isOnStack
      && (current == nil || !policy.protects(after: cancelledInARow))
  }

  /// Called before unlocking: gives the layer a place in the next pass if a display could start.
  mutating func settle(_ effects: inout Effects) {
    guard isReady, !isInPass else { return }
    isInPass = true
    effects.entersPass = true
  }
}
