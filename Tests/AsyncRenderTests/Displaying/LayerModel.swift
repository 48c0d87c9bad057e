import PatternTesting

@testable import AsyncRender

/// A simple model of a layer's state: a list of all displays so far, each of which is wanted or not.
struct LayerModel {
  struct Display {
    let number: UInt64
    let request: UInt64
    var phase = RenderLayerState.Phase.preparing
    var isWanted = true
    /// How often its `didDisplay` has been called or is about to be called.
    var ends = 0
    var drawing: Drawing?
  }

  var displays: [Display] = []
  /// The number of displays that have started, synchronous and asynchronous.
  var begun: UInt64 = 0
  var policy = DisplayPolicy.cancelLatest
  var isMarked = false
  var isSuspended = false
  var isGone = false
  var isOnStack = false
  var isInPass = false
  var isAsynchronous = true
  var cancelledInARow = 0
  var requests: UInt64 = 0
  var contents: ObjectIdentifier?
  /// The requests that a caller waits for.
  var waiters: [Int: UInt64] = [:]
  var drawn = 0
  var cleared = 0
  var failed = 0
  var cancelled = 0

  /// The display that is in progress and wanted.
  var current: Int? { displays.indices.last { displays[$0].isWanted && displays[$0].ends == 0 } }

  var isProtected: Bool {
    switch policy {
    case .cancelLatest: false
    case .finishThenLatest: true
    case .atLeastEvery(let count): cancelledInARow + 1 >= count
    }
  }

  var isReady: Bool {
    isMarked && !isSuspended && !isGone && !isOnStack && (current == nil || !isProtected)
  }

  /// Cancels the display that is wanted.
  ///
  /// - Returns: the display that the state must end because it is queued, and the one that it must interrupt because it
  ///   is being drawn.
  mutating func cancelCurrent() -> (ended: UInt64?, interrupted: UInt64?) {
    guard let current else { return (nil, nil) }
    displays[current].isWanted = false
    cancelled += 1
    switch displays[current].phase {
    case .queued:
      displays[current].ends += 1
      return (displays[current].number, nil)
    case .drawing: return (nil, displays[current].number)
    case .preparing, .drawn: return (nil, nil)
    }
  }

  mutating func request() -> (ended: UInt64?, interrupted: UInt64?) {
    requests += 1
    isMarked = true
    guard let current, displays[current].phase != .preparing, !isProtected else {
      return (nil, nil)
    }
    cancelledInARow += 1
    return cancelCurrent()
  }
}
