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
    loading = Task {
      await withTaskCancellationHandler {
        _ = await task.value
      } onCancel: {
        task.cancel()
      }
    }
    let result = await task.value
    let wasCancelled = task.isCancelled
    loading = nil
    return wasCancelled ? nil : result
  }
}
