/// A 128-bit FNV-1a hash of bytes, for cache keys. It distinguishes contents, but does not resist an attacker. Linear
/// in the number of bytes.
struct ContentHash {
  private var state: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d

  mutating func combine(_ bytes: some Sequence<UInt8>) {
    var state = state
    for byte in bytes {
      state = (state ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013b
    }
    self.state = state
  }

  /// Adds a text and a terminator, so that "ab", "c" and "a", "bc" have different hashes.
  mutating func combine(_ text: String) {
    combine(text.utf8)
    combine(CollectionOfOne(0))
  }

  /// The hash as 32 hexadecimal digits.
  var text: String {
    let digits = String(state, radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits
  }
}
