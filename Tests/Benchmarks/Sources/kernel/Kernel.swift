import Foundation
import Measuring

/// Usage: kernel [--check] [--program PATH]
///
/// Without a program, what needs the built one is left out.
@main struct Kernel {
  static func main() throws {
    var arguments = CommandLine.arguments.dropFirst()
    var isChecking = false
    var path: String?
    while let argument = arguments.popFirst() {
      switch argument {
      case "--check": isChecking = true
      case "--program": path = arguments.popFirst()
      default: fail("kernel does not know “\(argument)”; it knows --check and --program PATH")
      }
    }
    var isMissed = false
    func show(_ measure: () throws -> [Figure]) {
      do {
        for figure in try measure() {
          print(figure)
          isMissed = isMissed || figure.isMissed
        }
      } catch {
        print("NOT MEASURED: \(error)")
        isMissed = true
      }
    }
    show(Sequences.measure)
    if let path {
      let program = try Program(path: path)
      defer { program.remove() }
      show(program.measureStart)
      show(program.measureSourcePlugins)
    }
    exit(isChecking && isMissed ? 1 : 0)
  }

  private static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(2)
  }
}
