import Hummingbird
import Serving

@main struct HummingbirdServer {
  static func main() async throws {
    let (port, total) = Meter.arguments
    let meter = Meter(total: total)
    let router = Router()
    router.get("/") { _, _ in await meter.answer() }
    let server = Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)))
    try await server.runService()
  }
}
