internal import Synchronization

/// The ready operations of one worker, first in, first out: the worker appends, and everybody takes from
/// the front, most of the time the worker itself.
///
/// It is a circular array as that of D. Chase and Y. Lev (2005, doi:10.1145/1073970.1073974), with one end
/// for taking: what is ready first starts first, and neither end needs a fence. Who takes many at once first
/// makes them its own and then copies them, as in the queue of Tokio: the other way round it would have to
/// copy again whenever the worker takes one meanwhile, which is all the time if operations are short.
/// Positions only ever grow, and wrap around; what stands from the front up to `back` is ready.
///
/// Only places before `kept` are used again, which stands still while what was claimed is copied, and is the
/// front otherwise. Everybody reads an entry before it changes `taken` so that `kept`
/// goes past it, by an exchange that releases; the worker reads `taken`, acquiring, before it overwrites, and
/// all changes of it are exchanges, one after another: so what was read stands before what overwrites it. Who
/// reads too late has its exchange fail, and reads again. If a copy takes long, the ring grows meanwhile
/// instead of being used again; nobody waits.
///
/// Safe to share: entries are atomic, and one is overwritten only after it was let go of; what is not
/// atomic belongs to the worker. A ring that was outgrown stays until the queue goes.
final class WorkerQueue: @unchecked Sendable {
  typealias Position = UInt32
  fileprivate typealias Entry = Atomic<Int32>

  /// Entries, as many as a power of two.
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

  /// How far the entries are taken: both in one word, so that they change together.
  private struct Taken {
    /// The first that is ready.
    var front: Position
    /// The first that may still be read: behind the front while somebody copies what it took.
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

    /// After the one at the front was taken.
    var next: Taken {
      Taken(front: front &+ 1, kept: isBeingCopied ? kept : front &+ 1)
    }
  }

  private let taken = Atomic<UInt64>(0)
  private let back = Atomic<Position>(0)
  /// Which of the rings is in use.
  private let current = Atomic<Int>(0)
  /// Room for all that there can be: each is twice as long as the one before.
  private let rings: UnsafeMutablePointer<Ring>
  private var ringCount = 0
  // The worker's own.
  @exclusivity(unchecked) private var ring: Ring
  /// Up to where entries were let go of when the worker last looked.
  @exclusivity(unchecked) private var knownKept: Position = 0
  /// Keeps the next queue off these cache lines.
  private let padding: (Int, Int, Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0, 0, 0)

  private static let smallest: Position = 64
  private static let mostRings = 32
  private static let mostAtOnce: Position = 256

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

  /// Takes half of what is ready in another queue, or a good many; one while somebody else does.
  ///
  /// - Returns: the first; the others stand in this queue.
  func takeHalf(of other: WorkerQueue) -> Int32? {
    guard let claim = other.claimHalf() else { return nil }
    if claim.count > 1 { copy(claim, of: other) }
    return claim.first
  }

  /// Adds what was claimed of another queue, but for the first, to this one.
  func copy(_ claim: Claim, of other: WorkerQueue) {
    let count = claim.count - 1
    let position = back.load(ordering: .relaxed)
    makeRoom(upTo: position &+ count)
    for index in 0..<count { ring[position &+ index] = claim.entries[claim.position &+ index &+ 1] }
    other.letGo()
    // In one order with who rests: what is here now is seen by who looks around before it rests, or else
    // its resting is seen by this worker. After `append` the next `popFirst` sees to that.
    back.store(position &+ count, ordering: .sequentiallyConsistent)
  }

  // MARK: For everybody

  /// Entries that somebody has made its own. More than one are to be copied, and stay where they are until
  /// then.
  struct Claim {
    let first: Int32
    let count: Position
    fileprivate let position: Position
    fileprivate let entries: Ring
  }

  /// Takes half of what is ready, or a good many; one while what another one took is being copied.
  func claimHalf() -> Claim? {
    var state = Taken(taken.load(ordering: .sequentiallyConsistent))
    while true {
      // Not less than none: `back` was no smaller when the front was there.
      let ready = back.load(ordering: .sequentiallyConsistent) &- state.front
      guard ready > 0 else { return nil }
      // After `back`: what stands up to there stands in this ring, or in both if one was outgrown since.
      let entries = rings[current.load(ordering: .acquiring)]
      let first = entries[state.front]
      let count = state.isBeingCopied ? 1 : min((ready &+ 1) / 2, Self.mostAtOnce)
      var next = state.next
      if count > 1 { next = Taken(front: state.front &+ count, kept: state.kept) }
      guard let now = move(from: state, to: next) else {
        return Claim(first: first, count: count, position: state.front, entries: entries)
      }
      state = now
    }
  }

  /// - Returns: nil if it did; else what the state has become.
  private func move(from state: Taken, to next: Taken) -> Taken? {
    let moving = taken.compareExchange(
      expected: state.word, desired: next.word, ordering: .sequentiallyConsistent)
    return moving.exchanged ? nil : Taken(moving.original)
  }

  /// What was claimed has been copied; what was taken one by one meanwhile was read before it was taken.
  private func letGo() {
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
