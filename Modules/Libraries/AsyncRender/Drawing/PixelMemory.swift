internal import AsyncRuntime
internal import CCairo

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reuses the memory of released pictures for new canvases. Fresh memory costs a page fault for each 4 KiB, and
/// returning it to the system stops all threads for a moment.
///
/// It keeps at most half of the memory in use plus one MiB, and never more than 16 MiB. So it
/// shrinks when there are fewer pictures. It keeps no memory of pictures that are smaller or larger
/// than ``sizes``. Pictures within ``sizes`` get up to a quarter more memory than they need.
///
/// A piece belongs to one Cairo surface at a time. It comes back when the last reference to the surface is released.
/// ``makeSurface(_:width:height:)`` clears a reused piece.
final class PixelMemory: Sendable {
  /// The sizes of the pictures whose memory is reused, in bytes.
  static let sizes = 1 << 15...1 << 22
  static let most = 1 << 24
  static let slack = 1 << 20

  /// The memory of all canvases.
  static let shared = PixelMemory()
  /// The memory of pixels that are the source of one fill, and are then released. It reuses the same few pieces,
  /// which stay in the processor's cache. The pieces of pictures come back later, when they are no longer cached.
  static let passing = PixelMemory()

  /// The key under which a surface keeps its loan. Only the address matters.
  private static let key = Key(address: .allocate(capacity: 1))

  private struct Key: @unchecked Sendable {
    // Safe to share: the memory at the address is never read or written.
    let address: UnsafeMutablePointer<cairo_user_data_key_t>
  }

  fileprivate struct Piece: @unchecked Sendable {
    // Safe to share: kept memory is not in use.
    let address: UnsafeMutableRawPointer
    let size: Int
  }

  fileprivate struct State: Sendable {
    /// The most recently used piece is last.
    var kept: [Piece] = []
    var keptBytes = 0
    var usedBytes = 0
  }

  /// A piece that a surface uses until the surface is destroyed.
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

  /// The number of bytes in use, and the number kept for later.
  var bytes: (used: Int, kept: Int) { state.withLock { ($0.usedBytes, $0.keptBytes) } }

  /// The size of a piece for `count` bytes, rounded up to one of four sizes between two powers of two. So pictures of
  /// similar sizes can reuse each other's pieces.
  static func size(for count: Int) -> Int {
    let exponent = Int.bitWidth - 1 - max(count - 1, 1).leadingZeroBitCount
    let step = 1 << max(exponent - 2, 0)
    return (count + step - 1) / step * step
  }

  /// Returns memory of that size with undefined contents; nil if there is none.
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

  /// Takes back a piece that is no longer used.
  ///
  /// - Complexity: O(1), or O(kept pieces) if it frees some.
  func giveBack(_ address: UnsafeMutableRawPointer, _ size: Int) {
    // Marks the memory as freed for AddressSanitizer.
    ccairo_poison(address, size)
    let freed = state.withLock { state in
      state.usedBytes -= size
      state.kept.append(Piece(address: address, size: size))
      state.keptBytes += size
      return state.takeTooMany()
    }
    for piece in freed { free(piece.address) }
  }

  /// Creates a cleared surface, and a context to draw on it. The surface gives its memory back when it is destroyed.
  ///
  /// - Returns: the objects from Cairo. After a failure, the status of the context is an error.
  func makeSurface(
    _ format: cairo_format_t, width: Int, height: Int
  ) -> (surface: OpaquePointer, context: OpaquePointer) {
    let surface =
      borrow(format, width: width, height: height)
      ?? cairo_image_surface_create(format, Int32(width), Int32(height))!
    let context: OpaquePointer = cairo_create(surface)
    // Let Cairo clear the surface, because it draws faster on a surface that it knows to be clear. If it already knows
    // that, this does nothing.
    cairo_set_operator(context, CAIRO_OPERATOR_CLEAR)
    cairo_paint(context)
    cairo_set_operator(context, CAIRO_OPERATOR_OVER)
    return (surface, context)
  }

  /// A surface with undefined contents; nil if its size is not in `sizes`, or if there is no memory.
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
  /// Removes the pieces beyond the limit, the oldest first.
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
