import Dispatch
import Foundation

/// Ctrl-C while a script runs: once calls off what goes on, twice ends the program.
@MainActor
final class Interrupts {
  private let source: any DispatchSourceSignal

  /// - Parameter interrupt: calls off what goes on; false if there is nothing.
  init(_ interrupt: @escaping @MainActor () -> Bool) {
    signal(SIGINT, SIG_IGN)
    source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .main)
    var count = 0
    source.setEventHandler {
      MainActor.assumeIsolated {
        count += 1
        if !interrupt() || count > 1 { exit(130) }
      }
    }
    source.activate()
  }
}
