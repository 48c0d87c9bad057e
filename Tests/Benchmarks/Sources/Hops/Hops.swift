/// Tasks that yield to each other. Each yield is one job. The program's argument is the number of yields.
public enum Hops {
  /// Prints the time of each yield, in nanoseconds.
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
