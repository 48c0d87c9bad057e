import CFuzzer
import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// `Fuzz TARGET [OPTION…] [FOLDER…]` runs one target with the options of libFuzzer; see Scripts/fuzz.
///
/// `Fuzz --words TARGET` prints the words of its language as a dictionary.
@main
enum Fuzz {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    switch words.first {
    case "--words":
      let words = FuzzTarget.named(words.dropFirst().first)?.words ?? []
      for word in words { print("\"\(word.escapedForDictionary)\"") }
    case RecordedBase.childWord: RecordedBase.record(to: words.last ?? "")
    default: run(FuzzTarget.named(words.first), Array(words.dropFirst()))
    }
  }

  private static func run(_ target: FuzzTarget?, _ options: [String]) {
    guard let target else {
      let names = FuzzTarget.all.map(\.name).joined(separator: ", ")
      FileHandle.standardError.write(
        Data("Fuzz: there is no such target; the targets are \(names)\n".utf8))
      exit(2)
    }
    let arguments = [CommandLine.arguments[0], "-max_len=\(target.longest)"] + options
    var count = Int32(arguments.count)
    // libFuzzer uses the arguments until the process ends.
    let copies = UnsafeMutablePointer<UnsafeMutablePointer<CChar>>.allocate(
      capacity: arguments.count + 1)
    for (index, argument) in arguments.enumerated() { copies[index] = strdup(argument) }
    var pointer = copies
    exit(LLVMFuzzerRunDriver(&count, &pointer, target.body))
  }
}

extension String {
  /// The text, with each byte that a dictionary of libFuzzer cannot hold replaced by its hexadecimal number.
  fileprivate var escapedForDictionary: String {
    utf8.map { byte in
      let isPlain = (0x20..<0x7F).contains(byte) && byte != 0x22 && byte != 0x5C
      let digits = String(byte, radix: 16, uppercase: true)
      return isPlain
        ? String(UnicodeScalar(byte)) : "\\x" + (digits.count < 2 ? "0" : "") + digits
    }.joined()
  }
}
