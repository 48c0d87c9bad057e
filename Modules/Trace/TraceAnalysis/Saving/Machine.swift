#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The machine and build that made the runs. Times of different machines or builds are not comparable.
public struct Machine: Sendable, Hashable {
  public var cores: Int
  public var os: String
  /// The compiler that built the program, in the compiler's own words.
  public var compiler: String
  /// `debug` or `release`.
  public var buildConfiguration: String

  public init(cores: Int, os: String, compiler: String, buildConfiguration: String) {
    self.cores = cores
    self.os = os
    self.compiler = compiler
    self.buildConfiguration = buildConfiguration
  }

  /// The machine and build of this program.
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

  /// The differences from another machine, a phrase for each: `2 cores against 8`.
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

  /// System, release and architecture, as reported by the kernel.
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
