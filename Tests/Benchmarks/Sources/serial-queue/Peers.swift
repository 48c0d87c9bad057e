/// The names of peers that have a target or are fetched separately.
enum Peers {
  static let dispatch = "DispatchQueue.async"
  static let continuation = "DispatchQueue.async and a continuation"
  static let stream = "an AsyncStream queue"
  static let queue = "mattmassicotte/Queue"
  static let asyncQueue = "dfed/swift-async-queue"
}
