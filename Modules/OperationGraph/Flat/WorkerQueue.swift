internal import Synchronization

/// The ready operations of one worker, first in, first out: the worker appends, and everybody takes from
/// the front, most of the time the worker itself.
///
/// It is the circular array of D. Chase and Y. Lev (2005, doi:10.1145/1073970.1073974), with one end for
/// taking: what is ready first starts first, and neither end needs a fence. `front` and `back` only ever
/// grow; what stands between them is ready.
///
/// Safe to share: entries are atomic, and one that was read counts only if `front` has not moved by then;
/// what is not atomic belongs to the worker. A ring that was outgrown stays until the queue goes.
final class WorkerQueue: @unchecked Sendable {
  private typealias Entry = Atomic<Int32>

  /// Entries, as many as a power of two.
  private struct Ring {
    let entries: UnsafeMutablePointer<Entry>
    let mask: Int

    init(capacity: Int) {
      entries = .allocate(capacity: capacity)
      for index in 0..<capacity { (entries + index).initialize(to: Entry(0)) }
      mask = capacity - 1
    }

    subscript(position: Int) -> Int32 {
      get { entries[position & mask].load(ordering: .relaxed) }
      nonmutating set { entries[position & mask].store(newValue, ordering: .relaxed) }
    }
  }

  private let front = Atomic<Int>(0)
  private let back = Atomic<Int>(0)
  /// Which of the rings is in use.
  private let current = Atomic<Int>(0)
  /// Room for all that there can be: each is twice as long as the one before.
  private let rings: UnsafeMutablePointer<Ring>
  private var ringCount = 0
  // The worker's own.
  @exclusivity(unchecked) private var ring: Ring
  /// Where the front was when the worker last looked.
  @exclusivity(unchecked) private var knownFront = 0
  /// Keeps the next queue off these cache lines.
  private let padding: (Int, Int, Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0, 0, 0)

  private static let smallest = 64
  private static let mostRings = 32

  init() {
    rings = .allocate(capacity: Self.mostRings)
    ring = Ring(capacity: Self.smallest)
    rings.initialize(to: ring)
    ringCount = 1
  }

  deinit {
    for index in 0..<ringCount { rings[index].entries.deallocate() }
    rings.deallocate()
  }

  /// Whether nothing is ready here.
  var isEmpty: Bool {
    back.load(ordering: .sequentiallyConsistent) <= front.load(ordering: .sequentiallyConsistent)
  }

  // MARK: For the worker

  func append(_ operation: Int32) {
    let position = back.load(ordering: .relaxed)
    makeRoom(upTo: position + 1)
    ring[position] = operation
    back.store(position + 1, ordering: .releasing)
  }

  func popFirst() -> Int32? {
    let end = back.load(ordering: .relaxed)
    var position = front.load(ordering: .relaxed)
    while position < end {
      let operation = ring[position]
      let taking = front.compareExchange(
        expected: position, desired: position + 1, ordering: .sequentiallyConsistent)
      if taking.exchanged { return operation }
      position = taking.original
    }
    return nil
  }

  /// Takes half of what is ready in another queue, or a good many.
  ///
  /// - Returns: the first; the others stand in this queue.
  func takeHalf(of other: WorkerQueue) -> Int32? {
    while true {
      let start = other.front.load(ordering: .sequentiallyConsistent)
      let ready = other.back.load(ordering: .sequentiallyConsistent) - start
      guard ready > 0 else { return nil }
      let count = min((ready + 1) / 2, 256)
      let ring = other.rings[other.current.load(ordering: .acquiring)]
      let first = ring[start]
      let position = back.load(ordering: .relaxed)
      makeRoom(upTo: position + count - 1)
      for index in 1..<max(count, 1) { self.ring[position + index - 1] = ring[start + index] }
      let taking = other.front.compareExchange(
        expected: start, desired: start + count, ordering: .sequentiallyConsistent)
      if taking.exchanged {
        back.store(position + count - 1, ordering: .releasing)
        return first
      }
    }
  }

  /// Makes room for entries before `end`.
  private func makeRoom(upTo end: Int) {
    guard end - knownFront > ring.mask + 1 else { return }
    knownFront = front.load(ordering: .acquiring)
    while end - knownFront > ring.mask + 1 {
      let larger = Ring(capacity: 2 * (ring.mask + 1))
      for position in knownFront..<back.load(ordering: .relaxed) {
        larger[position] = ring[position]
      }
      (rings + ringCount).initialize(to: larger)
      current.store(ringCount, ordering: .releasing)
      ringCount += 1
      ring = larger
    }
  }
}
