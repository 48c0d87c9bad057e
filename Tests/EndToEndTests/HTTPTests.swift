import Foundation
import Testing

/// A request by `http` always ends, whatever the server does.
@Suite struct HTTPTests {
  private func request(_ server: OneResponse, _ arguments: String) async throws
    -> PlaygroundProcess.Outcome
  {
    try await PlaygroundHome().eval(
      "load HTTP; http(\"http://127.0.0.1:\(server.port)/\"\(arguments))", "--json")
  }

  @Test func `a body longer than the limit is a failure`() async throws {
    let server = try OneResponse(length: (1 << 20) + 1)
    let outcome = try await request(server, ", limit: 1")
    #expect(outcome.code == 3, "\(outcome)")
    let error = try outcome.records("run").last?.string("error")
    #expect(
      error?.hasSuffix("/: the body is longer than 1 MB; raise “limit” to receive it") == true,
      "\(outcome)")
  }

  @Test(arguments: ["", ", limit: 1"])
  func `a body of the limit's length is received`(arguments: String) async throws {
    let server = try OneResponse(length: 1 << 20)
    let outcome = try await request(server, arguments)
    #expect(outcome.code == 0, "\(outcome.code) \(outcome.errors)")
  }

  @Test func `a server that does not answer is a failure after the timeout`() async throws {
    let server = try OneResponse(length: nil)
    let outcome = try await request(server, ", timeout: 50ms")
    #expect(outcome.code == 3, "\(outcome)")
    let error = try outcome.records("run").last?.string("error")
    #expect(error?.contains("timed out after 50ms") == true, "\(outcome)")
  }
}

/// A server that answers one request.
private final class OneResponse: Sendable {
  let port: UInt16
  private let endpoint: Int32
  /// `MSG_NOSIGNAL`, which is not imported in the same way everywhere.
  private static let withoutSignal: Int32 = 0x4000

  /// - Parameter length: the length of the body; nil if the request is never answered.
  init(length: Int?) throws {
    let endpoint = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.endpoint = endpoint
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(endpoint, $0, size) == 0 && listen(endpoint, 8) == 0
          && getsockname(endpoint, $0, &size) == 0
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    guard isBound else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    guard let length else { return }
    Thread.detachNewThread {
      let connection = accept(endpoint, nil, nil)
      defer { close(connection) }
      var request = [UInt8](repeating: 0, count: 1 << 16)
      _ = recv(connection, &request, request.count, 0)
      let head = "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\nConnection: close\r\n\r\n"
      var rest = (Array(head.utf8) + Array(repeating: UInt8(ascii: "x"), count: length))[...]
      while !rest.isEmpty {
        // The client may have closed the connection.
        let count = rest.withUnsafeBytes {
          send(connection, $0.baseAddress, $0.count, Self.withoutSignal)
        }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
  }

  deinit { close(endpoint) }
}
