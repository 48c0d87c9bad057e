import Foundation

/// The path of an executable of this package. It is in the same folder as the test bundle.
public func builtProgram(_ name: String) -> String {
  URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: name).path
}
