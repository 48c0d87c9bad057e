import Foundation

/// Requests to a server on this machine over several connections. Each request follows the response to the previous
/// one.
struct Load {
  let port: UInt16
  private static let connections = 8
  private static let request = Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)

  /// Chooses a port that no program uses now.
  init() throws {
    let socket = Self.makeSocket()
    defer { close(socket) }
    var address = Self.address(port: 0)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    var length = size
    let isBound = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, size) == 0 && getsockname(socket, $0, &length) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
    port = UInt16(bigEndian: address.sin_port)
  }

  /// Sends requests on new threads until the server has ended.
  func begin() {
    for _ in 0..<Self.connections {
      Thread.detachNewThread { send() }
    }
  }

  private func send() {
    guard let socket = connected() else { return }
    defer { close(socket) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    // A response is small enough to arrive in one piece.
    while write(socket, Self.request, Self.request.count) > 0, read(socket, &bytes, bytes.count) > 0
    {}
  }

  /// Waits until the server listens.
  private func connected() -> Int32? {
    var address = Self.address(port: port)
    let patience = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < patience {
      let socket = Self.makeSocket()
      let isConnected = withUnsafePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      if isConnected { return socket }
      close(socket)
      usleep(10_000)
    }
    return nil
  }

  private static func makeSocket() -> Int32 {
    #if canImport(Glibc)
      socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      socket(AF_INET, SOCK_STREAM, 0)
    #endif
  }

  private static func address(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
