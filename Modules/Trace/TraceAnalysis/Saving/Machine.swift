#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Where runs were made: times of two machines, or of two builds, do not compare.
public struct Machine: Sendable, Hashable, Codable {
  public var cores: Int
  public var os: String
  /// The compiler that built the program, as it names itself.
  public var compiler: String
  /// `debug` or `release`.
  public var buildConfiguration: String

  public init(cores: Int, os: String, compiler: String, buildConfiguration: String) {
    self.cores = cores
    self.os = os
    self.compiler = compiler
    self.buildConfiguration = buildConfiguration
  }

  /// This one.
  public static let current: Machine = {
    #if DEBUG
      let configuration = "debug"
    #else
      let configuration = "release"
    #endif
    return Machine(
      cores: max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1), os: systemName(),
      compiler: String(cString: async_pattern_compiler()), buildConfiguration: configuration)
  }()

  /// In what this one differs from another, for each a phrase: `2 cores against 8`.
  public func differences(from other: Machine) -> [String] {
    let pairs = [
      ("\(cores) cores", "\(other.cores)"), (os, other.os), (compiler, other.compiler),
      ("a \(buildConfiguration) build", "a \(other.buildConfiguration) one"),
    ]
    let differs = [
      cores != other.cores, os != other.os, compiler != other.compiler,
      buildConfiguration != other.buildConfiguration,
    ]
    return zip(pairs, differs).filter(\.1).map { "\($0.0.0) against \($0.0.1)" }
  }

  /// System, release and architecture, as the kernel tells them.
  private static func systemName() -> String {
    var system = utsname()
    guard uname(&system) == 0 else { return "unknown" }
    return [text(of: system.sysname), text(of: system.release), text(of: system.machine)]
      .joined(separator: " ")
  }

  private static func text(of field: some Any) -> String {
    withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
