import Foundation

/// The arguments of the program.
struct Arguments {
  var runs = 10_000
  var seeds = 3
  var filter = ""
  /// Set in a process that runs one batch for another process.
  var batchSeed: UInt64?

  static let help = """
    Usage: Determinism [--runs N] [--seeds N] [--filter TEXT]

    Runs each scenario of plain Swift again and again under the same seed, and compares fingerprints of all that happened.
    Half of the runs are in new processes. Threads that only compute run beside them.

      --runs N        how often each scenario runs with each seed (10000)
      --seeds N       how many seeds (3)
      --filter TEXT   only the scenarios whose description contains the text

    Prints a table, and exits with 1 if a scenario has more than one fingerprint for a seed.
    """

  /// Reads the arguments; ends the program if they are wrong.
  static func parse(_ words: ArraySlice<String>) -> Arguments {
    var arguments = Arguments()
    var rest = words
    while let option = rest.popFirst() {
      if option == "--help" || option == "-h" {
        print(help)
        exit(0)
      }
      guard let value = rest.popFirst() else { fail("“\(option)” needs a value") }
      switch option {
      case "--runs": arguments.runs = number(value, of: option)
      case "--seeds": arguments.seeds = number(value, of: option)
      case "--batch": arguments.batchSeed = UInt64(number(value, of: option))
      case "--filter": arguments.filter = value
      default: fail("there is no option “\(option)”")
      }
    }
    return arguments
  }

  private static func number(_ text: String, of option: String) -> Int {
    guard let number = Int(text), number > 0 else {
      fail("“\(option)” needs a number above zero, not “\(text)”")
    }
    return number
  }

  private static func fail(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("Determinism: \(reason); see --help\n".utf8))
    exit(2)
  }
}
