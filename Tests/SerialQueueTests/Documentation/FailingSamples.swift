import Dispatch
import Testing

/// The example that the documentation leads with really fails.
@Suite struct FailingSamples {
  @Test func `a second call lets the third upload start beside the second`() async {
    let uploads = Uploads()
    let (events, continuation) = AsyncStream.makeStream(of: String.self)
    let secondHasStarted = DispatchSemaphore(value: 0)
    let thirdHasStarted = DispatchSemaphore(value: 0)

    uploads.add { done in
      done()
      secondHasStarted.wait()
      done()
    }
    uploads.add { done in
      continuation.yield("second starts")
      secondHasStarted.signal()
      // The second upload ends only when the third one has started. In the right order, that would never happen.
      thirdHasStarted.wait()
      continuation.yield("second ends")
      done()
    }
    uploads.add { done in
      continuation.yield("third starts")
      thirdHasStarted.signal()
      done()
      continuation.finish()
    }

    var seen: [String] = []
    for await event in events.prefix(2) { seen.append(event) }
    #expect(seen == ["second starts", "third starts"])
  }
}
