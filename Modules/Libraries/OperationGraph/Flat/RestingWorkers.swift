internal import Synchronization

/// The set of a run's resting workers, with one bit for each worker.
///
/// Safe to share: the pointer never changes, and the words are atomic.
struct RestingWorkers: ~Copyable, @unchecked Sendable {
  private let words: UnsafeMutablePointer<Atomic<UInt64>>
  private let wordCount: Int

  /// Makes a set in which all workers rest.
  init(count: Int) {
    wordCount = (count + 63) / 64
    words = .allocate(capacity: wordCount)
    for word in 0..<wordCount {
      let bits = min(count - 64 * word, 64)
      (words + word).initialize(to: Atomic(bits == 64 ? .max : 1 << UInt64(bits) - 1))
    }
  }

  deinit { words.deallocate() }

  var isEmpty: Bool {
    for word in 0..<wordCount where words[word].load(ordering: .sequentiallyConsistent) != 0 {
      return false
    }
    return true
  }

  func insert(_ worker: Int) {
    words[worker / 64].bitwiseOr(1 << UInt64(worker % 64), ordering: .sequentiallyConsistent)
  }

  /// Removes and returns a resting worker.
  func popFirst() -> Int? {
    for word in 0..<wordCount {
      var bits = words[word].load(ordering: .sequentiallyConsistent)
      while bits != 0 {
        let taking = words[word].compareExchange(
          expected: bits, desired: bits & (bits - 1), ordering: .sequentiallyConsistent)
        if taking.exchanged { return 64 * word + bits.trailingZeroBitCount }
        bits = taking.original
      }
    }
    return nil
  }
}
