/// What a layer knows of its display: what was asked for, what is under way, what is shown.
///
/// It decides and does nothing else: each method changes the state, and what is to be done about it once the
/// lock has been let go of gathers in `effects`.
///
/// A display begins on the main lane (`preparing`), waits for a drawing lane (`queued`), is drawn (`drawing`), and
/// waits for the main lane (`drawn`). Who cancels it forgets it: whoever comes with its number afterwards
/// finds another one, and sees to `didDisplay(false)`. While it is `queued` nobody comes but a lane that then has
/// nothing to do, so there the canceller sees to it (`Effects.ended`).
///
/// Invariant, between two holders of the lock: what could begin has a place in the next display pass.
struct RenderLayerState: Sendable {
  typealias Listener = @Sendable (Result<Picture?, DisplayError>) -> Void

  /// What a drawing is made of that is not in its task.
  struct Look: Hashable, Sendable {
    var size: Size
    var scale: Double
    var isOpaque: Bool

    /// Whether there is nothing to draw on: less than a unit in either direction.
    var isEmpty: Bool { !(size.width >= 1 && size.height >= 1) }
  }

  /// Where the sentinel stands as long as a drawing is wanted.
  struct SentinelValue: Sendable {
    let sentinel: Sentinel
    let value: UInt64
  }

  enum Phase: Equatable, Sendable { case preparing, queued, drawing, drawn }

  /// A display that is under way, and wanted.
  struct Display: Sendable {
    /// Tells it from the others of its layer.
    let number: UInt64
    /// The last request that it takes in.
    let request: UInt64
    var phase = Phase.preparing
    var drawing: Drawing?
    /// How long it was drawn.
    var duration = Duration.zero
  }

  /// What is to be done once the lock has been let go of.
  struct Effects: Sendable {
    /// The layer has got a place in the next display pass.
    var entersPass = false
    /// Is cancelled while it is drawn: who wants to be told of it is to be told.
    var interrupted: Drawing?
    /// Has ended without having been drawn: `didDisplay` is to be told, on the main lane.
    var ended: Drawing?
    /// Who has waited, to be told on the main lane.
    var told: [(listener: Listener, result: Result<Picture?, DisplayError>)] = []
    /// Was shown, and is not any more.
    var released: Picture?
    /// What is to be added to the figures.
    var figures = DisplayFigures() {
      didSet { hasFigures = true }
    }
    /// Whether that is anything.
    private(set) var hasFigures = false
  }

  var look: Look
  /// From 0 to 1.
  var opacity = 1.0 {
    didSet { opacity = opacity.isNaN ? oldValue : min(max(opacity, 0), 1) }
  }
  var displaysAsynchronously = true
  var policy = DisplayPolicy.cancelLatest
  var priority = DisplayPriority.normal
  var group: DisplayGroup?
  var onContentsChange: (@Sendable (Picture?) -> Void)?
  var onFailure: (@Sendable (DrawingError) -> Void)?
  var figures = DisplayFigures()

  /// What the layer shows.
  var contents: Picture?
  /// Of the display that has brought it.
  var contentsNumber: UInt64 = 0
  /// Tells drawings that they are cancelled. All that is ever read of the state outside of the lock.
  let sentinel = Sentinel()

  /// Something has been asked for that no display has taken in.
  var isMarked = false
  var isSuspended = false
  var isGone = false
  /// It has a place in the next display pass.
  var isInPass = false
  /// A display of it is on the stack of the main lane; another one has to wait for the next turn.
  var isOnStack = false
  var current: Display?
  var displayCount: UInt64 = 0
  /// How many drawings requests have cancelled since one was shown.
  var cancelledInARow = 0

  /// The last request, and how far they are settled. All of them count up.
  var requested: UInt64 = 0
  var shown: UInt64 = 0
  var cancelledUpTo: UInt64 = 0
  var failure: (request: UInt64, error: DrawingError)?
  /// How many displays have failed, and up to which of them somebody who waited has heard of it.
  var failureCount: UInt64 = 0
  var heardFailures: UInt64 = 0

  /// By a number that counts up.
  var waiters: [UInt64: (request: UInt64, listener: Listener)] = [:]
  var waiterCount: UInt64 = 0

  init(look: Look) { self.look = look }

  /// Why the last display showed nothing of what was drawn; nil since one has ended well.
  var error: DrawingError? { failure?.error }

  /// Whether a display is under way that is still wanted.
  var isDisplaying: Bool { current != nil || isOnStack }

  // MARK: Asking

  /// - Parameter isElsewhere: whether it comes from another lane than the main one.
  /// - Returns: the number of the request.
  mutating func request(isElsewhere: Bool = false, _ effects: inout Effects) -> UInt64 {
    requested += 1
    effects.figures.requested += 1
    if isMarked { effects.figures.coalesced += 1 }
    isMarked = true
    // What is asked for while a display is prepared does not call it off, since it takes in what it finds; but on
    // another lane something may have changed that has been taken in already.
    if let current, current.phase != .preparing || isElsewhere { supersede(&effects) }
    return requested
  }

  /// Calls off what is under way, unless the policy protects it.
  mutating func supersede(_ effects: inout Effects) {
    if policy.protects(after: cancelledInARow) { return }
    cancelledInARow += 1
    cancelCurrent(&effects)
  }

  /// Whether a display could begin.
  var isReady: Bool {
    isMarked && !isSuspended && !isGone && !isOnStack
      && (current == nil || !policy.protects(after: cancelledInARow))
  }

  /// Before the lock is let go of: gives the layer a place in the next pass where a display could begin.
  mutating func settle(_ effects: inout Effects) {
    guard isReady, !isInPass else { return }
    isInPass = true
    effects.entersPass = true
  }
}
