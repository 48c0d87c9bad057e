#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Writes all of the bytes to a descriptor, in as many calls as the system needs.
///
/// - Returns: the `errno` of a failure; nil if all bytes were written.
package func writeAll(_ bytes: some Collection<UInt8>, to descriptor: Int32) -> Int32? {
  var rest = Array(bytes)[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return errno }
    rest = rest.dropFirst(count)
  }
  return nil
}
