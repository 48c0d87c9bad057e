import AsyncPatterns
import Pictures
import PlaygroundLanguage

/// How runs are made and shown. `set` and the options of the command line change these settings.
struct Settings: Sendable {
  var clock = ClockKind.live
  var seed: UInt64 = 0
  /// Nil: the default number of the clock.
  var workers: Int?
  /// How many schedules of an exploration are tried at the same time.
  var cores = 1
  /// The longest that a run may take in real time. Nil: no limit.
  var timeLimit: Duration?
  /// How often each run is made.
  var runs: Int?
  /// The smallest difference that counts, as a fraction.
  var threshold = 0.05
  var color = true
  /// Whether the user has turned colour off. Pictures then have no colour either.
  var refusesColor = false
  var pictures = PictureSetting.auto
  /// In columns. Nil: the width of the window.
  var width: Int?
  var checkDeterminism = false
  /// Whether the runs of a comparison get numbers and are listed by “runs”.
  var listsCompared = false

  static let mostWorkers = 1024
  static let mostRuns = 1_000_000

  enum Name: String, CaseIterable {
    case clock, seed, workers, cores, color, width, pictures, runs, threshold
    case timeLimit = "time-limit"
    case listCompared = "list-compared"
  }

  /// The number of workers in the pool of a run.
  var poolWidth: Int {
    workers ?? (clock == .virtual ? 4 : LiveRuntime.defaultWidth)
  }

  /// The value of a setting as `set` shows it.
  func text(of name: Name) -> String {
    switch name {
    case .clock: clock.rawValue
    case .seed: String(seed)
    case .workers: workers.map(String.init) ?? "the default of the clock"
    case .cores: String(cores)
    case .timeLimit: timeLimit?.shortDescription ?? "none"
    case .color: color ? "on" : "off"
    case .width: width.map(String.init) ?? "that of the window"
    case .pictures: pictures.word
    case .runs: runs.map(String.init) ?? "1"
    case .threshold: "\(threshold * 100)%"
    case .listCompared: listsCompared ? "on" : "off"
    }
  }

  /// Changes a setting.
  ///
  /// - Throws: an `ArgumentError` that says which values the setting takes.
  mutating func set(_ name: Name, to value: Value) throws(ArgumentError) {
    switch (name, value) {
    case (.clock, .string(let word)):
      guard let kind = ClockKind(rawValue: word) else { throw Self.error(name) }
      clock = kind
    case (.seed, .integer(let number)) where number >= 0: seed = UInt64(number)
    case (.workers, .integer(let number)) where (1...Self.mostWorkers).contains(number):
      workers = number
    case (.cores, .integer(let number)) where (1...Self.mostWorkers).contains(number):
      cores = number
    case (.timeLimit, .duration(let duration)) where duration > .zero: timeLimit = duration
    case (.timeLimit, .string("none")): timeLimit = nil
    case (.color, .bool(let isOn)): (color, refusesColor) = (isOn, !isOn)
    case (.color, .string("on")): (color, refusesColor) = (true, false)
    case (.color, .string("off")): (color, refusesColor) = (false, true)
    case (.listCompared, .bool(let isOn)): listsCompared = isOn
    case (.listCompared, .string("on")): listsCompared = true
    case (.listCompared, .string("off")): listsCompared = false
    case (.width, .integer(let number)) where (20...10_000).contains(number): width = number
    case (.pictures, .bool(false)): pictures = .off
    case (.pictures, .string(let word)):
      guard let setting = PictureSetting(word) else { throw Self.error(name) }
      pictures = setting
    case (.runs, .integer(let number)) where (1...Self.mostRuns).contains(number): runs = number
    case (.threshold, .real(let fraction)) where fraction >= 0: threshold = fraction
    case (.threshold, .integer(let percent)) where percent >= 0: threshold = Double(percent) / 100
    default: throw Self.error(name)
    }
  }

  private static func error(_ name: Name) -> ArgumentError {
    let takes =
      switch name {
      case .clock: "live or virtual"
      case .seed: "a whole number from 0"
      case .workers: "a whole number from 1 to \(mostWorkers)"
      case .cores: "a whole number from 1 to \(mostWorkers)"
      case .timeLimit: "a duration such as 30s, or none"
      case .color, .listCompared: "on or off"
      case .width: "a number of columns from 20 to 10000"
      case .pictures: PictureSetting.words.dropLast().joined(separator: ", ") + " or off"
      case .runs: "a whole number from 1 to \(mostRuns)"
      case .threshold: "a percentage such as 5%"
      }
    return ArgumentError("“\(name.rawValue)” takes \(takes)", suggestions: ["live", "virtual"])
  }
}

/// How pictures are drawn.
enum PictureSetting: Sendable, Hashable {
  /// In the best style that the terminal can show. Pictures are not drawn if there is no terminal.
  case auto
  /// In this style, wherever the output goes.
  case style(PictureStyle)
  case off

  static let words = ["auto"] + PictureStyle.allCases.map(\.rawValue) + ["off"]

  init?(_ word: String) {
    switch word {
    case "auto": self = .auto
    case "off": self = .off
    default:
      guard let style = PictureStyle(rawValue: word) else { return nil }
      self = .style(style)
    }
  }

  var word: String {
    switch self {
    case .auto: "auto"
    case .style(let style): style.rawValue
    case .off: "off"
    }
  }
}
