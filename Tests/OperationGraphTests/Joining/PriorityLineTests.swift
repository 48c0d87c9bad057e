import Testing

@testable import OperationGraph

/// Compares the queue of waiters with a simple list.
@Suite struct PriorityLineTests {
  private struct Model {
    var all: [(number: Int, priority: UInt8)] = []

    /// The numbers in the order in which they must come.
    var order: [Int] {
      all.sorted { ($0.priority, $1.number) > ($1.priority, $0.number) }.map(\.number)
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `it behaves like a sorted list`(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var line = PriorityLine<Int>()
    var model = Model()
    var places: [Int: PriorityLine<Int>.Place] = [:]
    var gone: [PriorityLine<Int>.Place] = []
    for number in 0..<400 {
      let priority = UInt8.random(in: 0...3, using: &generator) * 60
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<5:
        places[number] = line.append(number, priority: priority)
        model.all.append((number, priority))
      case 5, 6:
        guard let some = model.all.randomElement(using: &generator)?.number,
          let place = places[some]
        else { continue }
        #expect(line.remove(place) == some)
        gone.append(place)
        model.all.removeAll { $0.number == some }
      case 7:
        guard let index = model.all.indices.randomElement(using: &generator),
          let place = places[model.all[index].number]
        else { continue }
        line.move(place, to: priority)
        model.all[index].priority = priority
      default:
        guard let first = line.first else { continue }
        #expect(line[first] == model.order.first)
        #expect(line.oldest.flatMap { line[$0] } == model.all.map(\.number).min())
        _ = line.remove(first)
        gone.append(first)
        let served = model.order.first
        model.all.removeAll { $0.number == served }
      }
      #expect(line.count == model.all.count)
      // A removed place stays invalid, even if its slot is used again.
      for place in gone.suffix(5) {
        #expect(line[place] == nil)
        #expect(line.remove(place) == nil)
      }
    }
    for number in model.order { #expect(line.first.flatMap { line.remove($0) } == number) }
    #expect(line.isEmpty)
  }
}
