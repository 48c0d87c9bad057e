import AsyncPatterns
import Foundation

/// The files that are in the memory of this process, such as libraries and plugins.
public struct LoadedFiles: Sendable {
  /// A part of a file.
  private struct Part {
    let path: Substring
    let range: Range<UInt>
  }

  private let parts: [Part]
  private let images: [UInt: String]

  /// Reads which files are in memory now.
  public init() {
    let map = Files.readStream("/proc/self/maps") ?? []
    parts = String(decoding: map, as: UTF8.self).split(separator: "\n").compactMap { line in
      // A crashed thread waits for this code, so it uses no regular expression, which would be slow.
      let bounds = line.prefix { $0 != " " }.split(separator: "-")
      guard let path = line.firstIndex(of: "/"), bounds.count == 2,
        let start = UInt(bounds[0], radix: 16), let end = UInt(bounds[1], radix: 16), start < end
      else { return nil }
      return Part(path: line[path...], range: start..<end)
    }
    images = LoadedImages.paths
  }

  private func path(at address: UInt) -> Substring? {
    parts.first { $0.range.contains(address) }?.path
  }

  /// The name of the file at an address, without its folder.
  func name(at address: UInt) -> String? {
    path(at: address).map { Files.lastComponent(String($0)) }
  }

  /// The image of a plugin or of typed Swift at an address: where it starts, and the path that it was opened by.
  func image(at address: UInt) -> (start: UInt, path: String)? {
    guard let image = images.filter({ $0.key <= address }).max(by: { $0.key < $1.key }),
      let path = path(at: address), path == self.path(at: image.key)
    else { return nil }
    return (image.key, image.value)
  }

  /// Whether a thread with these return addresses belongs to Dispatch. Only a few threads of Dispatch run the tasks
  /// that have no executor of their own.
  public func isOnDispatch(_ addresses: [UInt]) -> Bool {
    addresses.contains { name(at: $0)?.hasPrefix("libdispatch") == true }
  }
}

/// The images of plugins and of typed Swift that this process has opened. They stay open.
enum LoadedImages {
  private static let known = Locked<[UInt: String]>([:])

  /// The paths of the images, by the addresses at which the images start. A path may contain links, and by now it may
  /// lead to another file.
  static var paths: [UInt: String] { known.withLock { $0 } }

  private typealias Information =
    @convention(c) (
      UnsafeMutableRawPointer, Int32, UnsafeMutablePointer<UnsafePointer<UInt>?>
    ) -> Int32

  /// - Parameter image: the handle that the system's loader has returned.
  static func note(_ image: UnsafeMutableRawPointer, path: String) {
    // Swift does not import `dlinfo`. Request 2 returns the loader's description of the image. The first field of the
    // description is the address.
    guard let symbol = dlsym(nil, "dlinfo") else { return }
    var description: UnsafePointer<UInt>?
    guard unsafeBitCast(symbol, to: Information.self)(image, 2, &description) == 0,
      let start = description?.pointee
    else { return }
    known.withLock { $0[start] = path }
  }
}
