import Foundation

/// The kind of program that a file holds.
public enum ProgramImage: Equatable {
  case script
  /// A program for another machine architecture.
  case machine(String)
  /// A program for this machine.
  ///
  /// - Parameters:
  ///   - libraries: the names of the shared libraries that it needs.
  ///   - isSwift: whether it contains Swift code.
  case program(libraries: [String], isSwift: Bool)
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
    self = .program(libraries: object.neededLibraries, isSwift: object.hasSwift)
  }
}
