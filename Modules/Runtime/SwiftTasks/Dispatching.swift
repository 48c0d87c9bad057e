internal import AsyncRuntime
internal import CSwiftTasks
internal import Glibc
internal import Synchronization

/// The waits of a simulation's code for Dispatch objects: groups, semaphores and work items.
///
/// Only Dispatch knows whether an object is free. The simulation asks again after each change of
/// the object.
struct DispatchWaits {
  struct Wait {
    let isFree: @convention(c) (UnsafeRawPointer) -> Bool
    /// Called when the object is free.
    let then: () -> Void
    let number: UInt64
  }

  private var waits: [UnsafeRawPointer: [Wait]] = [:]
  private var count: UInt64 = 0
  var isEmpty: Bool { waits.isEmpty }

  /// - Returns: the number with which the wait can be removed.
  mutating func add(
    for object: UnsafeRawPointer, _ isFree: @escaping @convention(c) (UnsafeRawPointer) -> Bool,
    then: @escaping () -> Void
  ) -> UInt64 {
    count += 1
    waits[object, default: []].append(Wait(isFree: isFree, then: then, number: count))
    return count
  }

  /// - Returns: whether the wait was still there.
  mutating func remove(_ number: UInt64, for object: UnsafeRawPointer) -> Bool {
    guard let index = waits[object]?.firstIndex(where: { $0.number == number }) else {
      return false
    }
    waits[object]?.remove(at: index)
    if waits[object]?.isEmpty == true { waits[object] = nil }
    return true
  }

  /// Removes and returns the waits that have ended, in the order in which they were added.
  mutating func takeFree(_ object: UnsafeRawPointer) -> [Wait] {
    guard var all = waits[object] else { return [] }
    var free: [Wait] = []
    // A wait that has not ended blocks all waits after it, so none overtakes it.
    while let first = all.first, first.isFree(object) { free.append(all.removeFirst()) }
    waits[object] = all.isEmpty ? nil : all
    return free
  }
}

/// The simulations that wait for objects which threads outside the simulation may change.
///
/// A simulation adds an object here, and then checks whether the object is free. A thread changes the object, and then
/// looks up the simulations that wait for it. So at least one of them notices the other.
enum AwaitedObjects {
  private static let numbers = Locked<[UnsafeRawPointer: [UInt64]]>([:])
  private static let count = Atomic<Int>(0)

  static func add(_ object: UnsafeRawPointer, _ number: UInt64) {
    numbers.withLock { $0[object, default: []].append(number) }
    count.add(1, ordering: .sequentiallyConsistent)
  }

  static func remove(_ object: UnsafeRawPointer, _ number: UInt64) {
    numbers.withLock { numbers in
      guard let index = numbers[object]?.firstIndex(of: number) else { return }
      numbers[object]?.remove(at: index)
      if numbers[object]?.isEmpty == true { numbers[object] = nil }
    }
    count.subtract(1, ordering: .releasing)
  }

  static subscript(object: UnsafeRawPointer) -> [UInt64] {
    if count.load(ordering: .sequentiallyConsistent) == 0 { return [] }
    return numbers.withLock { $0[object] ?? [] }
  }
}

extension TaskSimulation {
  fileprivate static func of(_ receiver: UnsafeMutableRawPointer) -> TaskSimulation {
    Unmanaged<TaskSimulation>.fromOpaque(receiver).takeUnretainedValue()
  }

  /// Blocks the calling thread until the object is free.
  ///
  /// - Parameter limit: the maximum wait in nanoseconds; negative for no maximum.
  /// - Returns: whether the object became free.
  fileprivate func block(
    for object: UnsafeRawPointer, called name: String, atMost limit: Int64,
    _ isFree: @escaping @convention(c) (UnsafeRawPointer) -> Bool
  ) -> Bool {
    if isFree(object) { return true }
    if limit == 0 { return false }
    register()
    AwaitedObjects.add(object, self.number)
    defer { AwaitedObjects.remove(object, self.number) }
    if isFree(object) { return true }
    let blocking = receiver.makeBlocking(for: name)
    let number = waits.add(for: object, isFree) { blocking.end() }
    blocking.wait(atMost: limit < 0 ? nil : limit)
    // If the wait is still there, it has timed out.
    return !waits.remove(number, for: object)
  }

  fileprivate func whenFree(
    _ object: UnsafeRawPointer,
    _ isFree: @escaping @convention(c) (UnsafeRawPointer) -> Bool, _ item: DispatchItem
  ) {
    let receiver = receiver!
    let number = number
    register()
    AwaitedObjects.add(object, number)
    if isFree(object) {
      AwaitedObjects.remove(object, number)
      return receiver.receive(item, after: 0)
    }
    _ = waits.add(for: object, isFree) {
      AwaitedObjects.remove(object, number)
      receiver.receive(item, after: 0)
    }
  }

  /// Called after each change of the object.
  func changed(_ object: UnsafeRawPointer) {
    for wait in waits.takeFree(object) { wait.then() }
  }
}

@_cdecl("swift_tasks_dispatch")
func dispatch(
  _ receiver: UnsafeMutableRawPointer, _ queue: UnsafeRawPointer, _ delay: Int64,
  _ context: UnsafeMutableRawPointer?,
  _ function: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void
) {
  let item = DispatchItem(
    queue: DispatchQueueID(pointer: queue), context: context, function: function)
  TaskSimulation.of(receiver).receiver.receive(item, after: delay)
}

@_cdecl("swift_tasks_dispatchSync")
func dispatchSync(
  _ receiver: UnsafeMutableRawPointer, _ queue: UnsafeRawPointer,
  _ context: UnsafeMutableRawPointer?,
  _ function: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void
) {
  let item = DispatchItem(
    queue: DispatchQueueID(pointer: queue), context: context, function: function)
  TaskSimulation.of(receiver).receiver.runNow(item)
}

@_cdecl("swift_tasks_block")
func block(
  _ receiver: UnsafeMutableRawPointer, _ object: UnsafeRawPointer,
  _ name: UnsafePointer<CChar>, _ limit: Int64,
  _ isFree: @escaping @convention(c) (UnsafeRawPointer) -> Bool
) -> Bool {
  TaskSimulation.of(receiver).block(
    for: object, called: String(cString: name), atMost: limit, isFree)
}

@_cdecl("swift_tasks_whenFree")
func whenFree(
  _ receiver: UnsafeMutableRawPointer, _ object: UnsafeRawPointer,
  _ isFree: @escaping @convention(c) (UnsafeRawPointer) -> Bool, _ queue: UnsafeRawPointer,
  _ context: UnsafeMutableRawPointer?,
  _ function: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void
) {
  let item = DispatchItem(
    queue: DispatchQueueID(pointer: queue), context: context, function: function)
  TaskSimulation.of(receiver).whenFree(object, isFree, item)
}

@_cdecl("swift_tasks_changed")
func changed(_ receiver: UnsafeMutableRawPointer, _ object: UnsafeRawPointer) {
  TaskSimulation.of(receiver).changed(object)
}

@_cdecl("swift_tasks_changedOutside")
func changedOutside(_ object: UnsafeRawPointer) {
  for number in AwaitedObjects[object] { TaskSimulation.changedOutside(object, in: number) }
}

@_cdecl("swift_tasks_runProcess")
func runProcess() -> Bool {
  guard let simulation = TaskSimulation.ofProcess else { return false }
  simulation.run()
  while true { pause() }
}
