import Foundation

/// The code in the documentation of a module, and the sample files beside a test, which compile and run that code. The
/// names of sample files end in `Samples.swift`.
public struct DocumentedCode {
  /// Lines of code, and their place.
  public struct Block {
    public let lines: [Substring]
    public let place: String
  }

  private let module: URL
  private let catalogue: URL
  private let samples: [[Substring]]

  /// - Parameters:
  ///   - module: the name of the module. Its folder and its documentation catalogue have the same name.
  ///   - group: the folder of modules that contains the module.
  ///   - test: a file in the folder of the samples, which is two levels below the folder of tests.
  public init(
    of module: String, in group: String = "Libraries", testedIn test: String = #filePath
  ) throws {
    let folder = URL(filePath: test).deletingLastPathComponent()
    self.module = folder.appending(path: "../../../Modules/\(group)/\(module)").standardized
    catalogue = self.module.appending(path: "\(module).docc")
    samples = try Self.files(in: folder, "Samples.swift").map(Self.lines)
  }

  // MARK: Shown code

  /// The names of all articles.
  public var articles: [String] {
    get throws {
      try Self.files(in: catalogue, ".md").map { $0.deletingPathExtension().lastPathComponent }
    }
  }

  public func lines(of article: String) throws -> [Substring] {
    try Self.lines(catalogue.appending(path: article + ".md"))
  }

  /// The blocks of an article in one language.
  public func blocks(of article: String, in language: String = "swift") throws -> [Block] {
    Self.blocks(of: language, in: try lines(of: article), of: article)
  }

  /// The blocks of Swift in comments on declarations.
  public var blocksInComments: [Block] {
    get throws {
      try Self.files(in: module, ".swift").flatMap { file in
        Self.blocks(
          of: "swift", in: Self.comments(in: try Self.lines(file)), of: file.lastPathComponent)
      }
    }
  }

  // MARK: Compiled code

  /// The blocks that no sample contains unchanged, except for a common indentation.
  public func untested(_ blocks: [Block]) -> [String] {
    blocks.filter { block in !samples.contains { Self.stands(block.lines, in: $0) } }
      .map { "\($0.place):\n\($0.lines.joined(separator: "\n"))" }
  }

  /// Whether a line of a sample contains the text.
  public func isTested(_ text: some StringProtocol) -> Bool {
    samples.contains { $0.contains { $0.contains(text) } }
  }

  private static func stands(_ block: [Substring], in sample: [Substring]) -> Bool {
    guard let first = block.first else { return false }
    return sample.indices.contains { start in
      guard sample[start].hasSuffix(first), start + block.count <= sample.count else {
        return false
      }
      let margin = sample[start].dropLast(first.count)
      guard margin.allSatisfy({ $0 == " " }) else { return false }
      return zip(block, sample[start...]).allSatisfy { line, own in
        line.isEmpty ? own.isEmpty : own == margin + line
      }
    }
  }

  // MARK: Files

  private static func files(in folder: URL, _ suffix: String) throws -> [URL] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(suffix) }
      .sorted().map { folder.appending(path: $0) }
  }

  private static func lines(_ file: URL) throws -> [Substring] {
    try String(contentsOf: file, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }

  private static func blocks(
    of language: String, in lines: [Substring], of file: String
  ) -> [Block] {
    var blocks: [Block] = []
    var open: [Substring]?
    for line in lines {
      if line == "```\(language)" {
        open = []
      } else if line.hasPrefix("```") {
        if let lines = open { blocks.append(Block(lines: lines, place: file)) }
        open = nil
      } else {
        open?.append(line)
      }
    }
    return blocks
  }

  /// The text of the comments on declarations, without the comment markers.
  private static func comments(in lines: [Substring]) -> [Substring] {
    lines.compactMap { line in
      let text = line.drop { $0 == " " }
      guard text.hasPrefix("///") else { return nil }
      return text.dropFirst(text.hasPrefix("/// ") ? 4 : 3)
    }
  }
}
