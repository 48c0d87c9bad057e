import AsyncPatterns
import PlaygroundLanguage

extension Session {
  /// Runs a script from a file; `-` is standard input.
  func performFile(_ path: String) async {
    do {
      let path = FilePath.resolve(path)
      await perform(try await ScriptFile.read(path), file: path)
    } catch let diagnostic as Diagnostic {
      console.report(diagnostic)
      status.add(.wrongInput)
    } catch {
      fail(error)
    }
  }

  /// Carries out some work of the plugin loader that Ctrl-C can call off; nil if it was.
  func loading<Result: Sendable>(
    _ body: @escaping @MainActor @Sendable () async -> Result
  ) async -> Result? {
    let task = Task { await body() }
    interruption.begin(Loading { task.cancel() })
    let result = await task.value
    interruption.end()
    return task.isCancelled ? nil : result
  }
}

/// Some work of the plugin loader, to be called off.
private final class Loading: Cancellable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  func cancel() { body() }
}
