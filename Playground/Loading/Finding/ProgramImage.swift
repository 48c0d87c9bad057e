import Foundation

/// The kind of program that a file holds.
public enum ProgramImage: Equatable {
  case script
  /// A program for another machine architecture.
  case machine(String)
  /// A Swift program for this machine.
  ///
  /// - Parameters:
  ///   - isStatic: whether it contains Swift's own libraries.
  ///   - hasAgent: whether it contains the playground's agent.
  case swift(isStatic: Bool, hasAgent: Bool)
  /// A program for this machine, in another language.
  case notSwift
  case other

  /// Reads the headers of the file. A damaged file is ``other``.
  public init(_ path: String) {
    guard let file = FileHandle(forReadingAtPath: path),
      let head = try? file.read(upToCount: 64)
    else {
      self = .other
      return
    }
    if head.starts(with: Array("#!".utf8)) {
      self = .script
      return
    }
    guard let object = ObjectFile(path) else {
      self = .other
      return
    }
    if let other = object.otherMachine {
      self = .machine(other)
      return
    }
    let sections = object.sectionNames
    let isStatic = !object.neededLibraries.contains { $0.hasPrefix("libswiftCore.so") }
    self =
      isStatic && !sections.contains { $0.hasPrefix("swift5_") }
      ? .notSwift : .swift(isStatic: isStatic, hasAgent: sections.contains("playground_agent"))
  }
}
