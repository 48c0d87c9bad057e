extension EventLoop {
  /// Memory for what is ready and what will happen later. Code that runs many simulations, one after another, passes it
  /// from each to the next.
  struct Room: ~Copyable {
    var ready = ReadyQueues()
    var timers = Timers()
  }
}
