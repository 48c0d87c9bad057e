import ArgumentParser
import Measuring

/// Usage: kernel [--check] [--program PATH]
///
/// Without a program, the measurements that need it are skipped.
@main struct Kernel {
  static func main() throws {
    let arguments = SuiteArguments.parseOrExit()
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
    if let path = arguments.program {
      let program = try Program(path: path)
      defer { program.remove() }
      show(program.measureStart)
      show(program.measureSourcePlugins)
    }
    arguments.exit(isMissed: isMissed)
  }
}
