import AsyncPatterns
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests over HTTP, with Foundation's networking.
public struct HTTP: Plugin {
  public static let name = "HTTP"
  public static let summary = "Requests over HTTP."
  public static let patterns: [any AsyncPattern.Type] = [HTTPRequest.self]
}

/// `http`: one request.
struct HTTPRequest: AsyncPattern {
  static let manual = Manual(
    name: "http",
    summary: "Sends a request over HTTP; its value is the body of the response.",
    discussion: """
      The body is a string if it is UTF-8, data otherwise. With POST, PUT and PATCH the input is \
      the body of the request. A status other than 2xx is a failure, whose text has the status and \
      the start of the body. A body longer than “limit” is a failure as well, and the rest of it \
      is not received. Cancelling ends the request; no thread waits for it.
      """,
    parameters: [
      Parameter("url", .string, isRequired: true, summary: "the address, http or https"),
      Parameter(
        "method", .word(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]), default: .string("GET"),
        summary: "the HTTP method"),
      Parameter(
        "timeout", .duration, default: .duration(.seconds(30)),
        summary: "how long the request may take"),
      Parameter(
        "limit", .integer(1...1_000_000), default: .integer(100),
        summary: "how long the body of the response may be, in MB"),
      Parameter(
        "type", .string, default: .string("application/octet-stream"),
        summary: "the media type of the input, if it is sent"),
    ],
    steps: .none, clocks: [.live],
    examples: ["http \"http://127.0.0.1:1/\"  # no server there\nexpect outcome == failure"])

  private let url: URL
  private let method: String
  private let timeout: Duration
  private let limit: Int
  private let mediaType: String

  init(_ arguments: Arguments) throws {
    let text = try arguments.string("url")
    guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()),
      url.host?.isEmpty == false
    else {
      throw ArgumentError(
        "“\(text)” is not an HTTP address; write one such as http://example.com/page",
        parameter: "url")
    }
    self.url = url
    method = try arguments.string("method")
    timeout = try arguments.duration("timeout")
    limit = try arguments.integer("limit")
    mediaType = try arguments.string("type")
    guard timeout > .zero else {
      throw ArgumentError(
        "“timeout” takes a duration above 0, not \(timeout.shortDescription)", parameter: "timeout")
    }
  }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let watch = Locked<Watch?>(Watch())
    let transfer = Transfer(limit: limit << 20) { data, response, error in
      let ended = watch.withLock { watch in
        defer { watch = nil }
        return watch
      }
      ended?.timer?.cancel()
      ended?.registration?.dispose()
      completion(
        Result {
          if error != nil {
            try scope.checkCancellation()
            if ended?.isLate == true {
              throw TimedOut("\(method) \(url.absoluteString)", after: timeout)
            }
          }
          guard let data else {
            throw failure("the body is longer than \(limit) MB; raise “limit” to receive it")
          }
          return try value(data, response, error)
        })
    }
    let session = URLSession(configuration: .default, delegate: transfer, delegateQueue: nil)
    let task = session.dataTask(with: request(input))
    // The session keeps the delegate until the task has ended.
    session.finishTasksAndInvalidate()
    let timer = scope.runtime.pool.schedule(after: timeout) {
      watch.withLock { $0?.isLate = true }
      task.cancel()
    }
    let registration = scope.onCancel { task.cancel() }
    watch.withLock { watch in
      watch?.timer = timer
      watch?.registration = registration
    }
    task.resume()
  }

  /// The state of a request in progress. When the request has ended, its timer is cancelled and its cancellation
  /// handler is removed.
  private struct Watch: Sendable {
    var isLate = false
    var timer: (any Cancellable)?
    var registration: Cancellation.Registration?
  }

  private func request(_ input: Value) -> URLRequest {
    var request = URLRequest(url: url)
    request.httpMethod = method
    request.cachePolicy = .reloadIgnoringLocalCacheData
    // Foundation counts whole seconds. The runtime's timer is exact and fires first.
    request.timeoutInterval = Double(timeout.components.seconds) + 2
    if ["POST", "PUT", "PATCH"].contains(method) {
      request.httpBody = input.bytes
      request.setValue(mediaType, forHTTPHeaderField: "Content-Type")
    }
    return request
  }

  private func value(
    _ data: Data, _ response: URLResponse?, _ error: (any Error)?
  ) throws -> Value {
    if let error {
      throw failure(error.localizedDescription)
    }
    let text = String(data: data, encoding: .utf8)
    if let status = (response as? HTTPURLResponse)?.statusCode, !(200..<300).contains(status) {
      let words = text?.prefix(400).split(whereSeparator: \.isWhitespace) ?? []
      throw failure("status \(status)\(words.isEmpty ? "" : ": ")\(words.joined(separator: " "))")
    }
    return text.map { .string($0) } ?? .data(data)
  }

  private func failure(_ reason: String) -> StepFailure {
    StepFailure("\(method) \(url.absoluteString): \(reason)")
  }
}

/// Collects the body of a response. It ends the task when the body becomes longer than the limit.
private final class Transfer: NSObject, URLSessionDataDelegate {
  private let limit: Int
  private let completion: @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  /// Nil if the body is longer than the limit.
  private let body = Locked<Data?>(Data())

  /// - Parameters:
  ///   - limit: the number of bytes that the body may have.
  ///   - completion: called once, with no data if the body is longer than the limit.
  init(
    limit: Int, completion: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) {
    self.limit = limit
    self.completion = completion
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let isTooLong = body.withLock { body in
      if (body?.count ?? 0) + data.count > limit { body = nil }
      body?.append(data)
      return body == nil
    }
    if isTooLong { dataTask.cancel() }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    completion(body.withLock { $0 }, task.response, error)
  }
}
