/// A thread on which code runs: the main thread, a worker of a pool or another thread. The process
/// or the simulation numbers the lanes. `main` is 0.
public struct Lane: Hashable, Sendable, Comparable, Codable {
  public var number: UInt32
  public init(number: UInt32) { self.number = number }
  /// The lane of the main run loop.
  public static let main = Lane(number: 0)
  public static func < (left: Lane, right: Lane) -> Bool { left.number < right.number }
}
