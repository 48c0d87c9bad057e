/// An event of a Chrome trace as it was read. Names and identities that repeat are numbers: see `Names`.
struct ChromeEvent {
  var phase: UInt8 = 0
  var name = Names.none
  var category = Names.none
  var process = Names.none
  var thread = Names.none
  /// In nanoseconds; nil if it is missing, or no number.
  var time: Int64?
  var duration: Int64?
  /// What tells an asynchronous slice or an arrow from others.
  var identity = Names.none
  var binding = Names.none
  var flowsIn = false
  var flowsOut = false
  var bindsToEnclosing = false
  var arguments: Arguments?
  /// Of a counter of ours: whose it is, where it stands among all events, and its name, if the track has another.
  var span: UInt32?
  var order: Int?
  var counter = Names.none
  /// Where it begins in the file.
  var offset = 0

  /// What is of use of an event's arguments.
  indirect enum Arguments {
    case step(Step)
    case numbers([(name: String, number: Double)])
    case name(String)
    case detail(String)
    /// Of the end of an arrow of ours: where it stands among all events, and when, if not as what it leads to.
    case arrow(order: Int, time: Int64?)
  }

  /// What this program writes of a step, or of what happened on its behalf.
  struct Step {
    var span: UInt32
    var parent: UInt32?
    /// Who let it go on, and how, where no arrow tells.
    var source: UInt32?
    var edge: EdgeRecord.Kind?
    var pattern = ""
    var label: String?
    var list: String?
    var submitted: Int64 = 0
    var work: Int64 = 0
    /// How long it had then waited for a lane, if that is what it tells.
    var queued: Int64?
    var outcome: StepRecord.Outcome = .success
    var error = ""
    var detail = ""
    var ending: TraceEvent.Ending = []
    /// The name of the lane on which it ended, if that is another one.
    var finishLane: String?
    /// Where among all events it was submitted, started and finished, as far as it did.
    var order: [Int] = []
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
