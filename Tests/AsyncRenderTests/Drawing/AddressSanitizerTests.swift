import Foundation
import Testing

@testable import AsyncRender

/// What a run of the tests under AddressSanitizer is worth: pixels that are used when nobody has the picture any more
/// must be reported, though their memory is kept.
@Suite struct AddressSanitizerTests {
  @Test(.enabled(if: isLive, "The tests do not run under AddressSanitizer."))
  func `memory that was given back is not to be read`() async {
    // 1 is how a program ends that AddressSanitizer has found fault with.
    await #expect(processExitsWith: .exitCode(1)) {
      let (memory, pixels) = lend()
      memory.giveBack(pixels, size)
      exit(pixels[4096] == 7 ? 0 : 2)
    }
  }

  @Test(.enabled(if: isLive, "The tests do not run under AddressSanitizer."))
  func `memory that is lent again may be read`() async {
    await #expect(processExitsWith: .exitCode(0)) {
      let (memory, pixels) = lend()
      memory.giveBack(pixels, size)
      let again = memory.take(size)
      exit(again == UnsafeMutableRawPointer(pixels) && pixels[4096] == 7 ? 0 : 2)
    }
  }

  private static var isLive: Bool { dlsym(nil, "__asan_init") != nil }
}

private let size = 1 << 16

/// A piece of a memory in which something is written.
///
/// - Returns: the memory, and its bytes one by one: what the standard library itself reads is not watched.
private func lend() -> (memory: PixelMemory, pixels: UnsafeMutablePointer<UInt8>) {
  let memory = PixelMemory()
  guard let pixels = memory.take(size) else { exit(3) }
  memset(pixels, 7, size)
  return (memory, pixels.assumingMemoryBound(to: UInt8.self))
}
