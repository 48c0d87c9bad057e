import Foundation
import Testing

@testable import AsyncRender

/// Checks that AddressSanitizer works for pictures. It must report pixels that are used after the last reference to
/// their picture is gone, although their memory is kept for reuse.
@Suite struct AddressSanitizerTests {
  @Test(.enabled(if: isLive, "The tests do not run under AddressSanitizer."))
  func `reading memory that was returned is an error`() async {
    // A program ends with exit code 1 if AddressSanitizer has found an error.
    await #expect(processExitsWith: .exitCode(1)) {
      let (memory, pixels) = lend()
      memory.giveBack(pixels, size)
      exit(pixels[4096] == 7 ? 0 : 2)
    }
  }

  @Test(.enabled(if: isLive, "The tests do not run under AddressSanitizer."))
  func `memory that is lent again can be read`() async {
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

/// Lends memory and writes to it.
///
/// - Returns: the memory, and its bytes as a pointer, because AddressSanitizer does not check reads by the standard
///   library.
private func lend() -> (memory: PixelMemory, pixels: UnsafeMutablePointer<UInt8>) {
  let memory = PixelMemory()
  guard let pixels = memory.take(size) else { exit(3) }
  memset(pixels, 7, size)
  return (memory, pixels.assumingMemoryBound(to: UInt8.self))
}
