import FlyingFox
import FlyingSocks
import Foundation
import Serving

@main struct FlyingFoxServer {
  static func main() async throws {
    let (port, total) = Meter.arguments
    let meter = Meter(total: total)
    let server = HTTPServer(
      address: try .inet(ip4: "127.0.0.1", port: UInt16(port)), logger: .disabled)
    await server.appendRoute("/") { _ in
      HTTPResponse(statusCode: .ok, body: Data(await meter.answer().utf8))
    }
    try await server.run()
  }
}
