internal import CoreFoundation
internal import Dispatch
internal import Foundation

/// What the run loop of the main thread does at the end of each turn.
///
/// The only place that knows CoreFoundation. In a program that does not run that loop (an `async` main,
/// `dispatchMain`) the actions run on the main queue when somebody wakes it, and it says so once.
final class MainRunLoop: Sendable {
  static let shared = MainRunLoop()

  private struct State {
    var actions: [Action] = []
    var nextKey = 0
    var hasSaidSo = false
  }

  private struct Action: Sendable {
    let order: Int
    let key: Int
    let perform: @Sendable () -> Void
  }

  private let state = Locked(State())

  func atEndOfTurn(
    order: Int, _ perform: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let key = state.withLock { state in
      state.nextKey += 1
      state.actions.append(Action(order: order, key: state.nextKey, perform: perform))
      state.actions.sort { ($0.order, $0.key) < ($1.order, $1.key) }
      return state.nextKey
    }
    let observer = Observer(order: order, perform)
    return Registration { [self] in
      observer.invalidate()
      state.withLock { $0.actions.removeAll { $0.key == key } }
    }
  }

  func wake() {
    CFRunLoopWakeUp(CFRunLoopGetMain())
    guard !isRunning else { return }
    DispatchQueue.main.async { [self] in
      // The loop may have begun to run in the meantime; then it serves this very block.
      if !isRunning { performWithoutLoop() }
    }
  }

  private var isRunning: Bool { CFRunLoopCopyCurrentMode(CFRunLoopGetMain()) != nil }

  private func performWithoutLoop() {
    let (actions, isFirst) = state.withLock { state in
      guard !state.actions.isEmpty else { return (state.actions, false) }
      defer { state.hasSaidSo = true }
      return (state.actions, !state.hasSaidSo)
    }
    if isFirst {
      StandardError.write(
        """
        note: the main thread does not run its run loop, so work for the end of a turn runs on the \
        main queue instead; call CFRunLoopRun() from a synchronous main

        """)
    }
    for action in actions {
      // An earlier one may have called it off.
      let isWanted = state.withLock { $0.actions.contains { $0.key == action.key } }
      if isWanted { action.perform() }
    }
  }
}

/// A run-loop observer for “about to wait” and “about to exit”.
private final class Observer: @unchecked Sendable {
  // Safe to share: CoreFoundation locks its observers, and the reference never changes.
  private let observer: CFRunLoopObserver?

  init(order: Int, _ perform: @escaping @Sendable () -> Void) {
    let activities = CFRunLoopActivity([.beforeWaiting, .exit]).rawValue
    observer = CFRunLoopObserverCreateWithHandler(nil, activities, true, order) { _, _ in perform()
    }
    CFRunLoopAddObserver(CFRunLoopGetMain(), observer, kCFRunLoopCommonModes)
  }

  func invalidate() { CFRunLoopObserverInvalidate(observer) }
}

/// Something that is taken back once.
private final class Registration: Cancellable {
  private let takeBack: @Sendable () -> Void
  init(_ takeBack: @escaping @Sendable () -> Void) { self.takeBack = takeBack }
  func cancel() { takeBack() }
}
