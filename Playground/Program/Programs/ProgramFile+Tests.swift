import AgentMessages
import SystemSteps

/// The tests that a program runs, if it is a test bundle or starts one.
extension ProgramFile {
  /// The libraries of the tests that the command applies to; nil if the program has no tests.
  ///
  /// A test bundle is run once for each library. Only one of these runs is recorded: that of Swift Testing, unless the
  /// command leaves it out.
  func testLibraries(for work: AgentOrder.Work) -> [TestLibrary]? {
    if path.hasSuffix(".xctest") {
      return [arguments.contains(TestLibrary.swiftTesting.rawValue) ? .swiftTesting : .xctest]
    }
    guard FilePath.name(of: path) == "swift" else { return nil }
    let libraries = TestLibrary.allCases.filter { !arguments.contains($0.disablingArgument) }
    return switch work {
    case .explore, .replay: libraries
    case .record, .convert: Array(libraries.suffix(1))
    }
  }
}

extension TestLibrary {
  /// The argument of `swift test` that leaves out the tests of the library.
  var disablingArgument: String { "--disable-\(rawValue)" }
}

extension Collection<String> {
  /// The arguments of `swift test` without those for tests in parallel processes. Swift Testing runs its tests in
  /// parallel without them.
  var withoutParallelProcesses: [String] {
    var arguments: [String] = []
    var isNumber = false
    for argument in self {
      if isNumber {
        isNumber = false
      } else if argument == "--num-workers" {
        isNumber = true
      } else if argument != "--parallel", !argument.hasPrefix("--num-workers=") {
        arguments.append(argument)
      }
    }
    return arguments
  }
}
