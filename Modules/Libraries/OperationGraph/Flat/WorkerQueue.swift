internal import Synchronization

/// The ready operations of one worker, first in, first out. Only the worker appends. Every thread
/// may take from the front, but usually the worker itself does.
///
/// It is a circular array like that of D. Chase and Y. Lev (2005, doi:10.1145/1073970.1073974), but
/// entries are taken at one end only. So the operation that became ready first starts first, and
/// neither end needs a fence. Positions only increase, and wrap around on overflow. The entries from
/// the front up to `back` are ready.
///
/// A thread that takes several entries first claims them and then copies them, as in the queue of
/// Tokio. In the reverse order, it would have to copy again whenever the worker took an entry
/// meanwhile. With short operations that happens all the time.
///
/// Only entries before `kept` are reused. While claimed entries are copied, `kept` does not move;
/// otherwise it equals the front. Every read of an entry must happen before the write that reuses
/// the entry. The order of changes ensures this. All changes of `taken` are exchanges, one after
/// another. A thread reads an entry before the exchange that moves `kept` past it. That exchange has
/// release ordering. Before the worker overwrites an entry, it reads `taken` with acquire ordering.
/// A thread that reads too late fails in its exchange, and reads again. If a copy takes long, the
/// ring grows instead of being reused. No thread waits.
///
/// Safe to share: entries are atomic, and an entry is overwritten only after it was released. Only
/// the worker uses state that is not atomic. An outgrown ring stays allocated as long as the queue
/// exists.
final class WorkerQueue: @unchecked Sendable {
  typealias Position = UInt32
  fileprivate typealias Entry = Atomic<Int32>

  /// A circular array of entries. Their number is a power of two.
  fileprivate struct Ring {
    let entries: UnsafeMutablePointer<Entry>
    let mask: Position

    init(capacity: Position) {
      entries = .allocate(capacity: Int(capacity))
      for index in 0..<Int(capacity) { (entries + index).initialize(to: Entry(0)) }
      mask = capacity - 1
    }

    subscript(position: Position) -> Int32 {
      get { entries[Int(position & mask)].load(ordering: .relaxed) }
      nonmutating set { entries[Int(position & mask)].store(newValue, ordering: .relaxed) }
    }
  }

  /// The positions up to which entries are taken and reusable. They share one word, so that they
  /// change together.
  private struct Taken {
    /// The first ready entry.
    var front: Position
    /// The first entry that may still be read. It is before the front while a thread copies entries
    /// that it has taken.
    var kept: Position

    init(front: Position, kept: Position) {
      self.front = front
      self.kept = kept
    }

    init(_ word: UInt64) {
      front = Position(truncatingIfNeeded: word)
      kept = Position(truncatingIfNeeded: word >> 32)
    }

    var word: UInt64 { UInt64(kept) << 32 | UInt64(front) }
    var isBeingCopied: Bool { kept != front }

    /// The positions after the entry at the front was taken.
    var next: Taken {
      Taken(front: front &+ 1, kept: isBeingCopied ? kept : front &+ 1)
    }
  }

  private let taken = Atomic<UInt64>(0)
  private let back = Atomic<Position>(0)
  /// The index of the ring in use.
  private let current = Atomic<Int>(0)
  /// Space for the largest possible number of rings. Each ring is twice as long as the one before it.
  private let rings: UnsafeMutablePointer<Ring>
  private var ringCount = 0
  // Only the worker uses the following state.
  @exclusivity(unchecked) private var ring: Ring
  /// The position up to which entries were released when the worker last looked.
  @exclusivity(unchecked) private var knownKept: Position = 0
  /// Keeps the next queue off these cache lines.
  private let padding: (Int, Int, Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0, 0, 0)

  private static let smallest: Position = 64
  private static let mostRings = 32
  private static let largestClaim: Position = 256

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

  /// Whether the queue has no ready entries.
  var isEmpty: Bool {
    let front = Taken(taken.load(ordering: .sequentiallyConsistent)).front
    return back.load(ordering: .sequentiallyConsistent) == front
  }

  // MARK: For the worker

  func append(_ operation: Int32) {
    let position = back.load(ordering: .relaxed)
    makeRoom(upTo: position &+ 1)
    ring[position] = operation
    back.store(position &+ 1, ordering: .releasing)
  }

  func popFirst() -> Int32? {
    let end = back.load(ordering: .relaxed)
    var state = Taken(taken.load(ordering: .relaxed))
    while state.front != end {
      let operation = ring[state.front]
      guard let now = move(from: state, to: state.next) else { return operation }
      state = now
    }
    return nil
  }

  /// Takes half of the ready entries of another queue, but at most `largestClaim`. Takes only one while another thread
  /// copies entries from that queue.
  ///
  /// - Returns: the first one; the others are added to this queue.
  func takeHalf(of other: WorkerQueue) -> Int32? {
    guard let claim = other.claimHalf() else { return nil }
    if claim.count > 1 { copy(claim, of: other) }
    return claim.first
  }

  /// Appends the claimed entries of another queue to this one, except for the first.
  func copy(_ claim: Claim, of other: WorkerQueue) {
    let count = claim.count - 1
    let position = back.load(ordering: .relaxed)
    makeRoom(upTo: position &+ count)
    for index in 0..<count { ring[position &+ index] = claim.entries[claim.position &+ index &+ 1] }
    other.releaseCopied()
    // Sequentially consistent, like the changes to the set of resting workers. Either another worker sees these entries
    // in its last search before it rests, or this worker sees that the other one rests. After `append`, the next
    // `popFirst` ensures this.
    back.store(position &+ count, ordering: .sequentiallyConsistent)
  }

  // MARK: For any thread

  /// Entries that a thread has claimed. If there are several, the thread must copy them, and they stay in place until
  /// then.
  struct Claim {
    let first: Int32
    let count: Position
    fileprivate let position: Position
    fileprivate let entries: Ring
  }

  /// Claims half of the ready entries, but at most `largestClaim`. Claims only one while another thread copies claimed
  /// entries.
  func claimHalf() -> Claim? {
    var state = Taken(taken.load(ordering: .sequentiallyConsistent))
    while true {
      // Never negative: `back` was at least this large when the front had this value.
      let ready = back.load(ordering: .sequentiallyConsistent) &- state.front
      guard ready > 0 else { return nil }
      // The ring is read after `back`, so it has the entries up to `back`. If a larger ring has
      // replaced it since, both rings have them.
      let entries = rings[current.load(ordering: .acquiring)]
      let first = entries[state.front]
      let count = state.isBeingCopied ? 1 : min((ready &+ 1) / 2, Self.largestClaim)
      var next = state.next
      if count > 1 { next = Taken(front: state.front &+ count, kept: state.kept) }
      guard let now = move(from: state, to: next) else {
        return Claim(first: first, count: count, position: state.front, entries: entries)
      }
      state = now
    }
  }

  /// - Returns: nil if the exchange succeeded; otherwise the current state.
  private func move(from state: Taken, to next: Taken) -> Taken? {
    let moving = taken.compareExchange(
      expected: state.word, desired: next.word, ordering: .sequentiallyConsistent)
    return moving.exchanged ? nil : Taken(moving.original)
  }

  /// Releases claimed entries that have been copied. It also releases the entries that were taken
  /// one by one meanwhile: they were read before they were taken.
  private func releaseCopied() {
    var state = Taken(taken.load(ordering: .relaxed))
    while let now = move(from: state, to: Taken(front: state.front, kept: state.front)) {
      state = now
    }
  }

  /// Makes room for entries before `end`.
  private func makeRoom(upTo end: Position) {
    guard end &- knownKept > ring.mask + 1 else { return }
    knownKept = Taken(taken.load(ordering: .acquiring)).kept
    while end &- knownKept > ring.mask + 1 {
      let larger = Ring(capacity: 2 * (ring.mask + 1))
      var position = knownKept
      let back = back.load(ordering: .relaxed)
      while position != back {
        larger[position] = ring[position]
        position &+= 1
      }
      (rings + ringCount).initialize(to: larger)
      current.store(ringCount, ordering: .releasing)
      ringCount += 1
      ring = larger
    }
  }
}
