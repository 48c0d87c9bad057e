internal import AsyncRuntime
internal import HeapModule

/// A bounded number of workers, who take what has the highest priority of all that waits, and of equals what came
/// first.
///
/// Each is a serial scheduler, so that it goes on on the thread on which it is: to hand the next drawing to another
/// thread, which has to wake up first, would take about as long as to draw a small one.
final class DisplayWorkers: DrawingLanes {
  private struct Place: Comparable, Sendable {
    let priority: DisplayPriority
    /// The lower came first.
    let sequence: Int
    let drawing: any LaneDrawing

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
    /// The workers who have not been asked for; the one that has rested the shortest is last.
    var idle: [Int]

    init(count: Int) { idle = Array((0..<count).reversed()) }

    mutating func append(_ drawing: any LaneDrawing, _ priority: DisplayPriority) {
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
    mutating func next(passing passed: inout [any LaneDrawing]) -> (any LaneDrawing)? {
      while let place = places.popMax() {
        let key = ObjectIdentifier(place.drawing)
        if waiting[key] == place {
          waiting[key] = nil
          // The end of one that was cancelled has been told.
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

  /// How many places it keeps: never more than some times what waits.
  var placeCount: Int { state.withLock { $0.places.count } }

  /// - Parameter count: how many; below 1 counts as 1.
  init(count: Int, on runtime: any Runtime) {
    self.count = max(count, 1)
    workers = (1...self.count).map { runtime.serial("display-\($0)") }
    state = Locked(State(count: self.count))
  }

  /// - Complexity: O(log *n*) for *n* that wait.
  func enqueue(_ drawing: any LaneDrawing, at priority: DisplayPriority) {
    let worker = state.withLock { state in
      state.append(drawing, priority)
      return state.idle.popLast()
    }
    if let worker { drawNext(on: worker) }
  }

  /// Puts it behind those that have the priority.
  ///
  /// - Complexity: O(log *n*) for *n* that wait, averaged over many.
  func reprioritize(_ drawing: any LaneDrawing, to priority: DisplayPriority) {
    let gaps = state.withLock { state -> Heap<Place>? in
      guard let place = state.waiting[ObjectIdentifier(drawing)], place.priority != priority
      else { return nil }
      state.append(drawing, priority)
      return state.closeGaps()
    }
    withExtendedLifetime(gaps) {}
  }

  /// - Complexity: O(1), averaged over many.
  func forget(_ drawing: any LaneDrawing) {
    let gaps = state.withLock { state in
      state.waiting[ObjectIdentifier(drawing)] = nil
      return state.closeGaps()
    }
    withExtendedLifetime(gaps) {}
  }

  /// One drawing a job: in between, others who wait for a thread of the pool get one.
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
