/// Ready operations that wait for one of a limited number of places, first in, first out.
struct PlaceLine {
  private var waiting = ReadyList()
  /// The number of operations that may start in addition to those in flight.
  private var places: Int

  init(places: Int) { self.places = places }

  /// Whether an operation could start.
  var hasNext: Bool { places > 0 && !waiting.isEmpty }

  /// Adds operations that have become ready.
  ///
  /// - Parameter freed: the number of operations that have left their places.
  mutating func append(_ ready: ReadyList, freeing freed: Int, _ links: ReadyList.Links) {
    places += freed
    waiting.append(ready, links)
  }

  /// Removes the first operation and gives it a place. Returns nil if no operation waits, or no place is free.
  mutating func popFirst(_ links: ReadyList.Links) -> Int32? {
    guard places > 0, let operation = waiting.popFirst(links) else { return nil }
    places -= 1
    return operation
  }

  /// Adds operations, and then gives as many as possible a place.
  mutating func exchange(
    _ ready: ReadyList, freeing freed: Int, _ links: ReadyList.Links
  ) -> ReadyList {
    append(ready, freeing: freed, links)
    let taken = waiting.popFirst(places, links)
    places -= taken.count
    return taken
  }
}
