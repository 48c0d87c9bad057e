internal import AsyncPatterns
internal import HeapModule

/// A bounded number of workers of the pool, who take what has the highest priority of all that waits, and of
/// equals what came first.
final class DisplayWorkers: DrawingLanes {
  private struct Place: Comparable, Sendable {
    let priority: DisplayPriority
    /// The lower came first.
    let sequence: Int
    let drawing: Drawing

    static func < (left: Place, right: Place) -> Bool {
      (left.priority, right.sequence) < (right.priority, left.sequence)
    }
    static func == (left: Place, right: Place) -> Bool { left.sequence == right.sequence }
  }

  private struct State: Sendable {
    /// Some drawings have several places, of which the one in `waiting` counts.
    var places = Heap<Place>()
    var waiting: [ObjectIdentifier: Place] = [:]
    var sequence = 0
    /// How many workers have been asked for, or are at work.
    var active = 0

    mutating func append(_ drawing: Drawing, _ priority: DisplayPriority) {
      sequence += 1
      let place = Place(priority: priority, sequence: sequence, drawing: drawing)
      waiting[ObjectIdentifier(drawing)] = place
      places.insert(place)
    }

    /// Closes the gaps that those left who have moved or ended, before they are more than what waits.
    ///
    /// - Returns: what is to be let go of after the lock.
    mutating func closeGaps() -> Heap<Place>? {
      guard places.count > 2 * waiting.count + 16 else { return nil }
      defer { places = Heap(waiting.values) }
      return places
    }

    /// What is to be drawn next.
    ///
    /// - Parameter passed: gets what it comes by in vain, to be let go of after the lock.
    mutating func next(passing passed: inout [Drawing]) -> Drawing? {
      while let place = places.popMax() {
        let key = ObjectIdentifier(place.drawing)
        if waiting[key] == place {
          waiting[key] = nil
          // The end of one that was cancelled has been told.
          if !place.drawing.isOver { return place.drawing }
        }
        passed.append(place.drawing)
      }
      return nil
    }
  }

  let count: Int
  private let pool: any Scheduler
  private let state = Locked(State())

  /// How many places it keeps: never more than some times what waits.
  var placeCount: Int { state.withLock { $0.places.count } }

  /// - Parameter count: how many; below 1 counts as 1.
  init(count: Int, on runtime: any Runtime) {
    self.count = max(count, 1)
    pool = runtime.pool
  }

  /// - Complexity: O(log *n*) for *n* that wait.
  func enqueue(_ drawing: Drawing, at priority: DisplayPriority) {
    let needsWorker = state.withLock { state in
      state.append(drawing, priority)
      guard state.active < count else { return false }
      state.active += 1
      return true
    }
    if needsWorker { drawNext() }
  }

  /// Puts it behind those that have the priority.
  ///
  /// - Complexity: O(log *n*) for *n* that wait, averaged over many.
  func reprioritize(_ drawing: Drawing, to priority: DisplayPriority) {
    let gaps = state.withLock { state -> Heap<Place>? in
      guard let place = state.waiting[ObjectIdentifier(drawing)], place.priority != priority
      else { return nil }
      state.append(drawing, priority)
      return state.closeGaps()
    }
    withExtendedLifetime(gaps) {}
  }

  /// - Complexity: O(1), averaged over many.
  func forget(_ drawing: Drawing) {
    let gaps = state.withLock { state in
      state.waiting[ObjectIdentifier(drawing)] = nil
      return state.closeGaps()
    }
    withExtendedLifetime(gaps) {}
  }

  /// One drawing a job: in between, others who wait for a worker of the pool get one.
  private func drawNext() {
    pool.schedule { [self] in
      let (drawing, passed) = state.withLock { state in
        var passed: [Drawing] = []
        let next = state.next(passing: &passed)
        if next == nil { state.active -= 1 }
        return (next, passed)
      }
      withExtendedLifetime(passed) {}
      guard let drawing else { return }
      drawing.draw()
      drawNext()
    }
  }
}
