import AsyncRuntime
import Foundation

/// Performs many operations of each library, and checks that memory and descriptors stay constant; see Scripts/soak.
@main
enum Soak {
  static func main() {
    let arguments = Arguments.parse(CommandLine.arguments.dropFirst())
    Task.detached {
      var isFlat = true
      say(Measured.header)
      for workload in Workload.all where arguments.includes(workload) {
        do {
          let measured = try await workload.measure(arguments.operations)
          say(measured.row)
          isFlat = isFlat && measured.isFlat
        } catch {
          say("\(workload.name): failed: \(error)")
          isFlat = false
        }
      }
      exit(isFlat ? 0 : 1)
    }
    // This loop is the main lane of the libraries. Without a timer, it would return before it is used.
    RunLoop.main.add(Timer(timeInterval: 3_600, repeats: true) { _ in }, forMode: .default)
    while true { RunLoop.main.run() }
  }

  /// Writes a line immediately, even to a pipe.
  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}

/// The arguments of the program.
struct Arguments {
  var operations = 1_000_000
  var libraries: [String] = []

  static func parse(_ words: ArraySlice<String>) -> Arguments {
    var arguments = Arguments()
    var rest = words
    while let word = rest.popFirst() {
      if word == "--operations" {
        guard let count = rest.popFirst().flatMap({ Int($0) }), count > 0 else {
          fail("“--operations” needs a number above zero")
        }
        arguments.operations = count
      } else {
        guard Workload.all.contains(where: { $0.name == word }) else {
          fail("there is no library “\(word)”")
        }
        arguments.libraries.append(word)
      }
    }
    return arguments
  }

  func includes(_ workload: Workload) -> Bool {
    libraries.isEmpty || libraries.contains(workload.name)
  }

  private static func fail(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("LibrarySoak: \(reason); see Scripts/soak --help\n".utf8))
    exit(2)
  }
}
