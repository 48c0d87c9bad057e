internal import AsyncRuntime
internal import HeapModule

/// A bounded number of workers. A free worker takes the waiting drawing with the highest priority.
/// At equal priority, it takes the one that arrived first.
///
/// Each worker is a serial scheduler, so it continues on its current thread. Handing the next drawing to another thread
/// would mean waking that thread, which takes about as long as drawing a small layer.
final class DisplayWorkers: DrawingLanes {
  private struct Place: Comparable, Sendable {
    let priority: Priority
    /// The order of arrival: a drawing with a lower number arrived first.
    let sequence: Int
    let drawing: any LaneDrawing

    static func < (left: Place, right: Place) -> Bool {
      (left.priority, right.sequence) < (right.priority, left.sequence)
    }
    static func == (left: Place, right: Place) -> Bool { left.sequence == right.sequence }
  }

  private struct State: Sendable {
    /// A drawing can have several places here. Only the one that is also in `waiting` counts.
    var places = Heap<Place>()
    var waiting: [ObjectIdentifier: Place] = [:]
    var sequence = 0
    /// The workers that have no scheduled job. The one that became idle last is at the end.
    var idle: [Int]

    init(count: Int) { idle = Array((0..<count).reversed()) }

    mutating func append(_ drawing: any LaneDrawing, _ priority: Priority) {
      sequence += 1
      let place = Place(priority: priority, sequence: sequence, drawing: drawing)
      waiting[ObjectIdentifier(drawing)] = place
      places.insert(place)
    }

    /// Removes the outdated places of drawings that moved or ended, once they outnumber the waiting drawings by
    /// more than 16.
    ///
    /// - Returns: the old heap, which the caller releases after unlocking; nil if nothing was removed.
    mutating func closeGaps() -> Heap<Place>? {
      guard places.count > 2 * waiting.count + 16 else { return nil }
      defer { places = Heap(waiting.values) }
      return places
    }

    /// Removes and returns the next drawing to draw.
    ///
    /// - Parameter passed: receives the drawings that were skipped. The caller releases them after unlocking.
    mutating func next(passing passed: inout [any LaneDrawing]) -> (any LaneDrawing)? {
      while let place = places.popMax() {
        let key = ObjectIdentifier(place.drawing)
        if waiting[key] == place {
          waiting[key] = nil
          // A cancelled drawing has already reported its end.
          if !place.drawing.isVoid { return place.drawing }
        }
        passed.append(place.drawing)
      }
      return nil
    }
  }

  let count: Int
  private let workers: [any Scheduler]
  private let state: Locked<State>

  /// The number of places kept. It stays within a constant factor of the number of waiting drawings.
  var placeCount: Int { state.withLock { $0.places.count } }

  /// - Parameter count: the number of workers; values below 1 count as 1.
  init(count: Int, on runtime: any Runtime) {
    self.count = max(count, 1)
    workers = (1...self.count).map { runtime.serial("display-\($0)") }
    state = Locked(State(count: self.count))
  }

  /// - Complexity: O(log *n*) for *n* waiting drawings.
  func enqueue(_ drawing: any LaneDrawing, at priority: Priority) {
    let worker = state.withLock { state in
      state.append(drawing, priority)
      return state.idle.popLast()
    }
    if let worker { drawNext(on: worker) }
  }

  /// Moves the drawing behind those that already have that priority.
  ///
  /// - Complexity: O(log *n*) amortized, for *n* waiting drawings.
  func reprioritize(_ drawing: any LaneDrawing, to priority: Priority) {
    let gaps = state.withLock { state -> Heap<Place>? in
      guard let place = state.waiting[ObjectIdentifier(drawing)], place.priority != priority
      else { return nil }
      state.append(drawing, priority)
      return state.closeGaps()
    }
    withExtendedLifetime(gaps) {}
  }

  /// - Complexity: O(1) amortized.
  func forget(_ drawing: any LaneDrawing) {
    let gaps = state.withLock { state in
      state.waiting[ObjectIdentifier(drawing)] = nil
      return state.closeGaps()
    }
    withExtendedLifetime(gaps) {}
  }

  /// Draws one drawing per job, so that other jobs waiting for a pool thread run in between.
  private func drawNext(on worker: Int) {
    workers[worker].schedule { [self] in
      let (drawing, passed) = state.withLock { state in
        var passed: [any LaneDrawing] = []
        let next = state.next(passing: &passed)
        if next == nil { state.idle.append(worker) }
        return (next, passed)
      }
      withExtendedLifetime(passed) {}
      guard let drawing else { return }
      drawing.draw()
      drawNext(on: worker)
    }
  }
}
