import Foundation

/// The path of an executable of this package, which lies beside the tests' own.
public func builtProgram(_ name: String) -> String {
  URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: name).path
}
