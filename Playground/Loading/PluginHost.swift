import AsyncPatterns
public import Foundation

/// The program that plugins are loaded into, as far as making and loading them concerns: where its
/// modules lie, which it holds itself, and what tells one build of it from another.
public struct PluginHost: Sendable {
  /// The executable, its symbolic links resolved.
  public var executable: String
  /// Where made objects, verdicts and packages' build folders are kept.
  public var cache: String
  /// The sanitizers the executable was built with, as `-sanitize=` spells them.
  public var sanitizers: [String]

  public init(executable: String, cache: String, sanitizers: [String] = []) {
    self.executable = executable
    self.cache = cache
    self.sanitizers = sanitizers
  }

  /// The running program.
  public static func current(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> PluginHost {
    PluginHost(
      executable: Files.resolved("/proc/self/exe"),
      cache: UserFolders.cache(environment: environment),
      sanitizers: [("thread", "__tsan_init"), ("address", "__asan_init")]
        .filter { dlsym(nil, $0.1) != nil }.map(\.0))
  }

  /// The folder of the executable: the build's, unless the program was moved.
  public var folder: String { Files.folder(of: executable) }

  /// Where the build put the interfaces of its modules.
  public var modules: String { folder + "/Modules" }

  /// Where the objects of this package's plugins are put, beside the executable.
  public var plugins: String { folder + "/Plugins" }

  /// Where the build copied this package's plugins in source form.
  public var sourcePlugins: String {
    folder + "/AsynchronousPatterns_playground.resources/Plugins"
  }

  /// The modules linked into the executable, which no plugin may bring along: a second copy would be
  /// other types of the same name. Nil where the build's list of them is not beside the executable.
  public func ownModules() -> Set<String>? {
    guard
      let list = Files.read(
        folder + "/" + Files.lastComponent(executable) + ".product/Objects.LinkFileList")
    else { return nil }
    return LinkFileList.modules(String(decoding: list, as: UTF8.self))
  }

  /// What tells this build of the executable from another.
  var identity: String {
    FileStamp(executable).map(\.text) ?? executable
  }

  /// The compiler that built the executable.
  static var compiler: String { String(cString: async_pattern_compiler()) }
}

/// The list of object files the build hands to the linker: one a line, quoted where need be.
enum LinkFileList {
  /// The modules whose objects are listed: the folder of each is named `<Module>.build`.
  static func modules(_ list: String) -> Set<String> {
    var modules: Set<String> = []
    for line in list.split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: "/")
      // Objects of C modules may lie deeper.
      if let folder = parts.dropLast().last(where: { $0.hasSuffix(".build") }) {
        modules.insert(String(folder.dropLast(".build".count)))
      }
    }
    return modules
  }
}

/// Where a user's files go, by the XDG base directory specification.
enum UserFolders {
  static func cache(environment: [String: String]) -> String {
    folder(environment, "XDG_CACHE_HOME", "/.cache") + "/async-playground"
  }

  static func plugins(environment: [String: String]) -> String {
    folder(environment, "XDG_DATA_HOME", "/.local/share") + "/async-playground/plugins"
  }

  /// The specification has relative paths ignored.
  private static func folder(
    _ environment: [String: String], _ variable: String, _ otherwise: String
  ) -> String {
    if let folder = environment[variable], folder.hasPrefix("/") { return folder }
    return (environment["HOME"] ?? NSHomeDirectory()) + otherwise
  }
}
