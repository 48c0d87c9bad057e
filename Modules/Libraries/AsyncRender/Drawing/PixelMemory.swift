internal import AsyncRuntime
internal import CCairo

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Memory for the pixels of canvases, which is used again when nobody has the picture any more: fresh memory costs a
/// page fault for each 4 KiB, and to give it back to the system stops all threads for a moment.
///
/// What it keeps is at most half of what is in use and a MiB, and never more than 16 MiB: so it is let go of
/// with the pictures. Of smaller and larger pictures (``sizes``) it keeps nothing; of those it keeps each is given up
/// to a quarter more than it needs.
///
/// A piece belongs to one surface of Cairo at a time, and comes back when the last reference to that has gone, whoever
/// held it. Whoever gets it finds it cleared.
final class PixelMemory: Sendable {
  /// Which pictures it is for, in bytes.
  static let sizes = 1 << 15...1 << 22
  static let most = 1 << 24
  static let slack = 1 << 20

  /// That of all canvases.
  static let shared = PixelMemory()
  /// That of pixels which are made only to be drawn from at once: the same few pieces again and again, which the
  /// processor has near at hand. Pieces of pictures come back after a while, and are far away.
  static let passing = PixelMemory()

  /// Under which a surface has its loan: only the address counts.
  private static let key = Key(address: .allocate(capacity: 1))

  private struct Key: @unchecked Sendable {
    // Safe to share: nobody reads or writes what is there.
    let address: UnsafeMutablePointer<cairo_user_data_key_t>
  }

  fileprivate struct Piece: @unchecked Sendable {
    // Safe to share: nobody uses what is kept.
    let address: UnsafeMutableRawPointer
    let size: Int
  }

  fileprivate struct State: Sendable {
    /// The one that has been used last is last.
    var kept: [Piece] = []
    var keptBytes = 0
    var usedBytes = 0
  }

  /// What a surface has of it until nobody holds the surface.
  private final class Loan {
    let memory: PixelMemory
    let piece: Piece

    init(of memory: PixelMemory, _ piece: Piece) {
      self.memory = memory
      self.piece = piece
    }

    deinit { memory.giveBack(piece.address, piece.size) }
  }

  private let state = Locked(State())

  deinit { for piece in state.withLock({ $0.kept }) { free(piece.address) } }

  /// How many bytes are in use, and how many are kept for the next.
  var bytes: (used: Int, kept: Int) { state.withLock { ($0.usedBytes, $0.keptBytes) } }

  /// A piece's size, so that those of pictures of about the same size can be used for one another: one of four between
  /// a power of two and the next.
  static func size(for count: Int) -> Int {
    let exponent = Int.bitWidth - 1 - max(count - 1, 1).leadingZeroBitCount
    let step = 1 << max(exponent - 2, 0)
    return (count + step - 1) / step * step
  }

  /// Memory for so many bytes, with whatever is in it; nil if there is none.
  ///
  /// - Complexity: O(kept pieces), and O(1) while all pictures have the same size.
  func take(_ size: Int) -> UnsafeMutableRawPointer? {
    let known = state.withLock { state -> UnsafeMutableRawPointer? in
      state.usedBytes += size
      guard let index = state.kept.lastIndex(where: { $0.size == size }) else { return nil }
      state.keptBytes -= size
      return state.kept.remove(at: index).address
    }
    if let known {
      ccairo_unpoison(known, size)
      return known
    }
    var fresh: UnsafeMutableRawPointer?
    guard posix_memalign(&fresh, 64, size) == 0 else {
      state.withLock { $0.usedBytes -= size }
      return nil
    }
    return fresh
  }

  /// Nobody uses it any more.
  ///
  /// - Complexity: O(1), averaged over many.
  func giveBack(_ address: UnsafeMutableRawPointer, _ size: Int) {
    // As if it were freed, for AddressSanitizer.
    ccairo_poison(address, size)
    let freed = state.withLock { state in
      state.usedBytes -= size
      state.kept.append(Piece(address: address, size: size))
      state.keptBytes += size
      return state.takeTooMany()
    }
    for piece in freed { free(piece.address) }
  }

  /// A surface that is clear, and a context to draw on it with. It gives its memory back when it goes.
  ///
  /// - Returns: what Cairo has made; the status of the context tells if it could not.
  func makeSurface(
    _ format: cairo_format_t, width: Int, height: Int
  ) -> (surface: OpaquePointer, context: OpaquePointer) {
    let surface =
      borrow(format, width: width, height: height)
      ?? cairo_image_surface_create(format, Int32(width), Int32(height))!
    let context: OpaquePointer = cairo_create(surface)
    // By Cairo, which goes about with less ado on what it knows to be clear. If it knows already, this does nothing.
    cairo_set_operator(context, CAIRO_OPERATOR_CLEAR)
    cairo_paint(context)
    cairo_set_operator(context, CAIRO_OPERATOR_OVER)
    return (surface, context)
  }

  /// A surface with whatever is in the memory; nil if it is not for such ones, or there is none.
  func borrow(_ format: cairo_format_t, width: Int, height: Int) -> OpaquePointer? {
    let stride = Int(cairo_format_stride_for_width(format, Int32(width)))
    guard Self.sizes.contains(stride * height) else { return nil }
    let size = Self.size(for: stride * height)
    guard let pixels = take(size) else { return nil }
    let surface: OpaquePointer = cairo_image_surface_create_for_data(
      pixels.assumingMemoryBound(to: UInt8.self), format, Int32(width), Int32(height),
      Int32(stride))
    let loan = Unmanaged.passRetained(Loan(of: self, Piece(address: pixels, size: size)))
    let status = cairo_surface_set_user_data(surface, Self.key.address, loan.toOpaque()) { loan in
      if let loan { Unmanaged<Loan>.fromOpaque(loan).release() }
    }
    guard status == CAIRO_STATUS_SUCCESS else {
      cairo_surface_destroy(surface)
      loan.release()
      return nil
    }
    return surface
  }
}

extension PixelMemory.State {
  /// What is more than is to be kept, the oldest first.
  fileprivate mutating func takeTooMany() -> [PixelMemory.Piece] {
    let limit = min(PixelMemory.most, usedBytes / 2 + PixelMemory.slack)
    guard keptBytes > limit else { return [] }
    var count = 0
    while keptBytes > limit {
      keptBytes -= kept[count].size
      count += 1
    }
    defer { kept.removeFirst(count) }
    return Array(kept[..<count])
  }
}
