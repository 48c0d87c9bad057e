import PlaygroundLanguage

extension Session {
  /// Reads, checks and runs a script. If the script has any error, none of it runs.
  ///
  /// - Parameter file: the path of the script, if it comes from a file.
  ///
  /// - Returns: false if the script has an error.
  @discardableResult
  func perform(_ source: Source, file: String? = nil) async -> Bool {
    beginScript()
    knownElsewhere.withLock { $0 = nil }
    let (script, diagnostics) = Parser.parse(source)
    var checker = Checker(session: self, file: file)
    if diagnostics.isEmpty {
      await checker.check(script, in: source)
    } else {
      checker.diagnostics = diagnostics
    }
    guard checker.diagnostics.isEmpty else {
      for diagnostic in checker.diagnostics { console.report(diagnostic) }
      status.add(.wrongInput)
      return false
    }
    bindings = checker.bindings
    for action in checker.actions where !interruption.isRaised && !hasQuit && !isStopped {
      await perform(action)
    }
    settlePending()
    return true
  }

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

  /// Runs a block that was entered at the prompt.
  func performBlock(_ text: String) async {
    beginBlock()
    let source = Source(name: "prompt", text: text)
    let isCommand = isAboutTyping(source)
    if !isCommand { lastTyped = text }
    if await perform(source), !isCommand { typed.append(text) }
    endBlock()
  }

  private func perform(_ action: Action) async {
    if !action.isExpectation { settlePending() }
    keepLastValue()
    place = action.place
    await action.perform(self)
    place = nil
  }
}
