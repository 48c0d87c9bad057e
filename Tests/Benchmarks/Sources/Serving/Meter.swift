import Foundation

/// Answers the requests of a server. After the last request it prints the processor time of each request, in
/// nanoseconds, and ends the program.
public actor Meter {
  private let total: Int
  private let warmUp: Int
  private var answered = 0
  private var start = 0.0

  /// - Parameter total: the number of requests. The first tenth of them does not count.
  public init(total: Int) {
    self.total = total
    warmUp = total / 10
  }

  public func answer() -> String {
    answered += 1
    if answered == warmUp { start = Self.processorTime }
    if answered == total {
      print((Self.processorTime - start) / Double(total - warmUp) * 1e9)
      exit(0)
    }
    return "request \(answered)\n"
  }

  /// The processor time that the process has used, in seconds.
  private static var processorTime: Double {
    var usage = rusage()
    let ownProcess: Int32 = 0
    getrusage(ownProcess, &usage)
    return [usage.ru_utime, usage.ru_stime].reduce(0) {
      $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
    }
  }
}

extension Meter {
  /// The port and the number of requests, which are the arguments of a server.
  public static var arguments: (port: Int, total: Int) {
    let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    guard numbers.count == 2 else {
      FileHandle.standardError.write(Data("usage: PORT REQUESTS\n".utf8))
      exit(2)
    }
    return (numbers[0], numbers[1])
  }
}
