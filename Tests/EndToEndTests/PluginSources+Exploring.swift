extension PluginSources {
  /// Patterns whose steps race, and some that only fail under a few schedules.
  static let races = """
    import AsyncPatterns

    public struct Races: Plugin {
      public static let name = "Races"
      public static let summary = "Patterns whose steps race."
      public static let patterns: [any AsyncPattern.Type] = [
        AtOnce.self, Forgetful.self, Once.self, Locks.self,
      ]
    }

    /// Starts all steps at the same time, each as a job of the pool.
    struct AtOnce: AsyncPattern {
      static let manual = Manual(
        name: "at-once", summary: "Starts all steps at the same time.", flow: .sideBySide)
      init(_ arguments: Arguments) {}
      func start(
        _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
      ) {
        let left = Locked(steps.count)
        for step in steps {
          scope.runtime.pool.schedule {
            scope.start(step, input: input) { _ in
              let isLast = left.withLock { left in
                left -= 1
                return left == 0
              }
              if isLast { completion(.success(.none)) }
            }
          }
        }
      }
    }

    /// Never calls its completion if it is cancelled between its steps.
    struct Forgetful: AsyncPattern {
      static let manual = Manual(
        name: "forgetful", summary: "Two steps in a row.", steps: .exactly(2))
      init(_ arguments: Arguments) {}
      func start(
        _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
      ) {
        scope.start(steps[0], input: input) { first in
          scope.runtime.pool.schedule {
            if scope.isCancelled { return }
            scope.start(steps[1], input: input) { second in
              completion(first.flatMap { _ in second })
            }
          }
        }
      }
    }

    /// Fails the first time in the life of the program, and never again.
    struct Once: AsyncPattern {
      static let manual = Manual(name: "once", summary: "Fails once.", steps: .none)
      private static let isFirst = Locked(true)
      init(_ arguments: Arguments) {}
      func start(
        _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
      ) {
        struct First: Error, CustomStringConvertible { var description: String { "the first" } }
        let isFirst = Self.isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        completion(isFirst ? .failure(First()) : .success(.none))
      }
    }

    /// Two jobs take two locks, in opposite orders.
    struct Locks: AsyncPattern {
      static let manual = Manual(
        name: "locks", summary: "Takes two locks in two orders.", steps: .none, blocksThread: true)
      init(_ arguments: Arguments) {}
      func start(
        _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
      ) {
        let runtime = scope.runtime
        let locks = [runtime.semaphore(1), runtime.semaphore(1)]
        let left = Locked(2)
        for order in [[0, 1], [1, 0]] {
          runtime.pool.schedule {
            locks[order[0]].wait()
            runtime.block(for: .milliseconds(1))
            locks[order[1]].wait()
            locks[order[1]].signal()
            locks[order[0]].signal()
            let isLast = left.withLock { left in
              left -= 1
              return left == 0
            }
            if isLast { completion(.success(.none)) }
          }
        }
      }
    }
    """
}
