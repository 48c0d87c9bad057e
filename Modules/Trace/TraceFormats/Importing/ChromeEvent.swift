internal import TraceBasics

/// An event of a Chrome trace as it was read. Names and identities that occur repeatedly are stored as numbers: see
/// `Names`.
struct ChromeEvent {
  var phase: UInt8 = 0
  var name = Names.none
  var category = Names.none
  var process = Names.none
  var thread = Names.none
  /// In nanoseconds. Nil if it is missing or not a number, or if the duration of a slice is negative.
  var time: Int64?
  var duration: Int64?
  /// Distinguishes one asynchronous slice from another, or one arrow from another.
  var identity = Names.none
  var binding = Names.none
  var flowsIn = false
  var flowsOut = false
  var bindsToEnclosing = false
  var arguments: Arguments?
  /// The byte of the file at which the event starts.
  var offset = 0

  /// The useful part of an event's `args`.
  enum Arguments {
    case numbers([(name: String, number: Double)])
    case name(String)
    case detail(String)

    /// Returns nil if nothing is of use.
    init?(_ json: JSONValue) {
      guard case .object(let fields) = json else { return nil }
      if case .string(let name)? = fields["name"] {
        self = .name(name.shortened)
      } else if case .string(let detail)? = fields["detail"] {
        self = .detail(detail.shortened)
      } else {
        let numbers = fields.fields.sorted { $0.name < $1.name }.compactMap { field in
          switch field.value {
          case .integer(let integer): (name: field.name.shortened, number: Double(integer))
          case .number(let number): (name: field.name.shortened, number: number)
          default: nil
          }
        }
        guard !numbers.isEmpty else { return nil }
        self = .numbers(numbers)
      }
    }
  }

  /// Strings by number.
  struct Names {
    static let none = Int32(0)
    private(set) var all = [""]
    private var numbers = ["": none]

    mutating func number(of name: String) -> Int32 {
      if let known = numbers[name] { return known }
      let number = Int32(all.count)
      numbers[name] = number
      all.append(name)
      return number
    }

    subscript(number: Int32) -> String { all[Int(number)] }
  }
}

extension String {
  /// The string, shortened if it is too long to read. This saves memory, since the paths of steps repeat the string.
  var shortened: String { utf8.count <= 1024 ? self : String(prefix(256)) + "…" }
}
