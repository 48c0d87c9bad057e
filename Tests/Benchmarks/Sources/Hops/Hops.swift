/// Tasks that give way to each other, as many times as the program's argument says: one job each time.
public enum Hops {
  /// Prints how many nanoseconds each took.
  public static func run() async {
    let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 10
    let clock = ContinuousClock()
    let time = await clock.measure {
      async let other: Void = yield(count / 2)
      await yield(count / 2)
      await other
    }
    print(time / .nanoseconds(1) / Double(count))
  }

  private static func yield(_ count: Int) async {
    for _ in 0..<count { await Task.yield() }
  }
}
