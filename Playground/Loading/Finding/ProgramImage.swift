import Foundation

/// What kind of program a file is.
public enum ProgramImage: Equatable {
  case script
  /// For another kind of machine.
  case machine(String)
  /// A program of this machine.
  ///
  /// - Parameters:
  ///   - libraries: the names of the shared libraries that it needs.
  ///   - isSwift: whether it holds code of Swift.
  case program(libraries: [String], isSwift: Bool)
  case other

  /// Reads the head of the file. A damaged file is ``other``.
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
