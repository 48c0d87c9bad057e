import Promises

/// 2.3.3.3.3 and 2.3.3.3.4: the first call of a thenable counts, even if the thenable throws afterwards.
enum FirstCallCases {
  static let all: [APlusCase] = calls + saved + thrown

  /// A call that a thenable makes on its resolver.
  private enum Call: Sendable {
    case fulfill(Object)
    case reject(Object)
    /// Resolves it with a promise that is settled after 50 ms.
    case adoptFulfilled, adoptRejected

    func perform(_ trial: Trial, _ resolver: Promise<Object, any Error>.Resolver) {
      switch self {
      case .fulfill(let value): resolver.resolve(.success(value))
      case .reject(let reason): resolver.resolve(.failure(reason))
      case .adoptFulfilled: resolver.resolve(with: trial.later(.success(.sentinel)))
      case .adoptRejected: resolver.resolve(with: trial.later(.failure(Object.sentinel)))
      }
    }

    var check: @Sendable (Trial, Promise<Object, any Error>) -> Void {
      switch self {
      case .fulfill, .adoptFulfilled: Expected.value
      case .reject, .adoptRejected: Expected.error
      }
    }
  }

  private enum Time: String, Sendable {
    case immediately = "immediately"
    case later = "later"

    func run(_ trial: Trial, _ job: @escaping @Sendable () -> Void) {
      if self == .immediately { job() } else { trial.after(0, job) }
    }
  }

  // MARK: 2.3.3.3.3

  private static let calls: [APlusCase] =
    pairs("fulfilled, then rejected", .fulfill(.sentinel), .reject(.other))
    + pair("adopts a fulfilled promise, then rejected", .adoptFulfilled, .reject(.other))
    + pair("adopts a rejected promise, then rejected", .adoptRejected, .reject(.other))
    + pairs("rejected, then fulfilled", .reject(.sentinel), .fulfill(.other))
    + pairs("fulfilled twice", .fulfill(.sentinel), .fulfill(.other))
    + pair("adopts a fulfilled promise, then fulfilled", .adoptFulfilled, .fulfill(.other))
    + pair("adopts a rejected promise, then fulfilled", .adoptRejected, .fulfill(.other))
    + pairs("rejected twice", .reject(.sentinel), .reject(.other))

  private static func pairs(_ name: String, _ first: Call, _ second: Call) -> [APlusCase] {
    pair(name, first, second) + pair(name, first, second, .immediately, .later)
      + pair(name, first, second, .later, .later)
  }

  private static func pair(
    _ name: String, _ first: Call, _ second: Call, _ firstTime: Time = .immediately,
    _ secondTime: Time = .immediately
  ) -> [APlusCase] {
    Returning.cases(
      "2.3.3.3.3", name / "\(firstTime.rawValue) and \(secondTime.rawValue)",
      thenable: { trial in
        Foreign<Object> { resolver in
          firstTime.run(trial) { first.perform(trial, resolver) }
          secondTime.run(trial) { second.perform(trial, resolver) }
        }
      }, first.check)
  }

  /// The thenable stores its resolver and calls it at arbitrary times.
  private static let saved: [APlusCase] = Returning.allCases.map { way in
    APlusCase("2.3.3.3.3", "kept and used again, for a \(way) promise") { trial in
      let kept = Locked<Promise<Object, any Error>.Resolver?>(nil)
      let thenable = Foreign<Object> { resolver in kept.withLock { $0 = resolver } }
      let promise: Promise<Object, any Error> =
        switch way {
        case .fulfilled: trial.resolved(Object.dummy).then { _ in Promise(thenable) }
        case .rejected:
          trial.rejected(Object.dummy)
            .flatMapError { _ -> Promise<Object, any Error> in Promise(thenable) }
        }
      let count = Counter()
      promise.onFulfilled { _ in count.add() }
      promise.onRejected { _ in trial.expect(false, "it was rejected") }
      let abuse: @Sendable () -> Void = {
        guard let resolver = kept.withLock({ $0 }) else { return }
        resolver.fulfill(.dummy)
        resolver.fulfill(.dummy)
        resolver.reject(Object.dummy)
        resolver.reject(Object.dummy)
      }
      abuse()
      trial.after(50, abuse)
      trial.after(100) {
        trial.expect(kept.withLock { $0 } != nil, "the thenable was not asked")
        trial.expect(count.value == 1, "it was fulfilled \(count.value) times")
        trial.end()
      }
    }
  }

  // MARK: 2.3.3.3.4

  private static let thrown: [APlusCase] =
    throwing("2.3.3.3.4.1", "fulfilled", [.fulfill(.sentinel)])
    + throwing("2.3.3.3.4.1", "adopts a fulfilled promise", [.adoptFulfilled])
    + throwing("2.3.3.3.4.1", "adopts a rejected promise", [.adoptRejected])
    + throwing("2.3.3.3.4.1", "rejected", [.reject(.sentinel)])
    + throwing("2.3.3.3.4.1", "fulfilled and rejected", [.fulfill(.sentinel), .reject(.other)])
    + throwing("2.3.3.3.4.1", "rejected and fulfilled", [.reject(.sentinel), .fulfill(.other)])
    + throwing("2.3.3.3.4.2", "nothing else", [])
    + throwing("2.3.3.3.4.2", "to be fulfilled later", [.fulfill(.other)], .later)
    + throwing("2.3.3.3.4.2", "to be rejected later", [.reject(.other)], .later)

  /// Makes the calls, then throws. It throws the other object if a call counts, otherwise the sentinel.
  private static func throwing(
    _ section: String, _ name: String, _ calls: [Call], _ time: Time = .immediately
  ) -> [APlusCase] {
    let counting = time == .immediately ? calls.first : nil
    return Returning.cases(
      section, name,
      thenable: { trial in
        Foreign<Object> { resolver in
          for call in calls { time.run(trial) { call.perform(trial, resolver) } }
          throw counting == nil ? Object.sentinel : .other
        }
      }, counting?.check ?? Expected.error)
  }
}
