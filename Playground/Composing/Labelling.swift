/// Assigns labels to the unlabelled steps of a list, and to the copies made by a count.
///
/// Written labels have priority, independent of their position: they are claimed before any label is generated. If a
/// generated label is already used, it gets the next free number.
struct Labelling {
  /// The labels without a number at their end.
  private var plain: [String: Use] = [:]
  /// The labels with a number at their end, by the text before the number.
  private var numbered: [String: NumberedLabels] = [:]

  /// What uses a label.
  enum Use: Equatable {
    /// A written label whose step has not been added yet, or the label of a count, whose copies have labels of their
    /// own.
    case claim
    /// The step at an index.
    case step(Int)
  }

  /// Claims a written label. Returns false if it was already claimed.
  mutating func claim(_ label: String) -> Bool { use(label, .claim) }

  /// Assigns a claimed label to the step at `index`.
  mutating func give(_ label: String, to index: Int) {
    if let (stem, number) = Self.split(label) {
      numbered[stem, default: NumberedLabels()].set(number, .step(index))
    } else {
      plain[label] = .step(index)
    }
  }

  /// Assigns the label to the step at `index`. Returns false if the label is already used.
  mutating func giveIfFree(_ label: String, to index: Int) -> Bool { use(label, .step(index)) }

  /// Returns `stem`, or `stem` with the next free number if it is already used.
  mutating func generate(_ stem: String, for index: Int) -> String {
    giveIfFree(stem, to: index) ? stem : number(stem, from: 2, for: index)
  }

  /// Returns `stem` with the next free number.
  mutating func number(_ stem: String, from first: Int = 1, for index: Int) -> String {
    let number = numbered[stem, default: NumberedLabels()].useNext(from: first, for: index)
    return stem + "-" + String(number)
  }

  /// Calls `body` with `stem` and the next free number, for each of the steps in order.
  mutating func number(_ stem: String, for indices: Range<Int>, _ body: (String) -> Void) {
    // A count can make a million steps, so the numbers are looked up once for all of them.
    var numbers = numbered.removeValue(forKey: stem) ?? NumberedLabels()
    let prefix = stem + "-"
    for index in indices { body(prefix + String(numbers.useNext(from: 1, for: index))) }
    numbered[stem] = numbers
  }

  /// The index of the step with the label.
  func index(of label: String) -> Int? {
    let use = Self.split(label).map { stem, number in numbered[stem]?[number] } ?? plain[label]
    guard case .step(let index)? = use else { return nil }
    return index
  }

  /// Stores the use of a label. Returns false if the label is already used.
  private mutating func use(_ label: String, _ use: Use) -> Bool {
    if let (stem, number) = Self.split(label) {
      return numbered[stem, default: NumberedLabels()].use(number, use)
    }
    // Usually the label is free, and then a single look-up is enough.
    guard let other = plain.updateValue(use, forKey: label) else { return true }
    plain[label] = other
    return false
  }

  /// The parts of a label that ends like a generated one: with a dash, and a number without leading zeros.
  /// Nil for any other label.
  private static func split(_ label: String) -> (stem: String, number: Int)? {
    let bytes = label.utf8
    guard let last = bytes.last, isDigit(last), let dash = bytes.lastIndex(of: 0x2D),
      let number = Int(label[label.index(after: dash)...])
    else { return nil }
    let digits = bytes[bytes.index(after: dash)...]
    guard digits.allSatisfy(isDigit), digits.first != 0x30 || digits.count == 1,
      digits.count <= mostDigits
    else { return nil }
    return (String(label[..<dash]), number)
  }

  /// A label with a longer number counts as one without a number, so that no sum overflows.
  private static let mostDigits = 15

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
