extension CoordinatedRun {
  /// Watches the operations of other runs that operations of this run represent.
  func connectRemotes(from first: Int32) {
    for (operation, options) in table.options.entries(from: first) {
      guard let link = options.remote else { continue }
      link.remote.onEnd { ending, span, store in
        if link.slot >= 0 { store?(self.places, link.slot) }
        self.trace?.connect(operation, to: span)
        self.update { $0.remoteEnded(operation, ending) }
      }
    }
  }
}

extension CoordinatedRun: RemoteSource {
  func watch(_ operation: Int32, _ watcher: RemoteWatcher) {
    let (ending, decision) = decide { state, _ -> (Ending?, [State.Action]) in
      if let ending = state.nodes[Int(operation)].ending { return (ending, []) }
      state.watchers[operation, default: []].append(watcher)
      return (nil, [])
    }
    perform(decision)
    if let ending { watcher.notify(ending) }
  }
}
