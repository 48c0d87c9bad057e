import NIOCore
import NIOHTTP1
import NIOPosix
import Serving

private typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

/// An HTTP server with a task for each connection.
@main struct NIOServer {
  static func main() async throws {
    let (port, total) = Meter.arguments
    let meter = Meter(total: total)
    let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .bind(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          return try Connection(wrappingChannelSynchronously: channel)
        }
      }
    try await withThrowingDiscardingTaskGroup { group in
      try await server.executeThenClose { connections in
        for try await connection in connections {
          group.addTask { try? await serve(connection, meter) }
        }
      }
    }
  }

  private static func serve(_ connection: Connection, _ meter: Meter) async throws {
    try await connection.executeThenClose { requests, responses in
      for try await part in requests {
        guard case .end = part else { continue }
        let body = ByteBuffer(string: await meter.answer())
        let headers: HTTPHeaders = ["content-length": "\(body.readableBytes)"]
        let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)
        try await responses.write(
          contentsOf: [.head(head), .body(.byteBuffer(body)), .end(nil)])
      }
    }
  }
}
