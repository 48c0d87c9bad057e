import AsyncPatterns
public import Foundation

/// The program that loads plugins. It provides what is needed to make and load them: the folder of its modules, the
/// modules that it contains, and the identity of its build.
public struct PluginHost: Sendable {
  /// The path of the executable, without symbolic links.
  public let executable: String
  /// The folder for objects, verdicts and the build folders of packages.
  public var cache: String
  /// The sanitizers that the executable was built with, spelled as for `-sanitize=`.
  public var sanitizers: [String]

  public init(executable: String, cache: String, sanitizers: [String] = []) {
    self.executable = executable
    self.cache = cache
    self.sanitizers = sanitizers
  }

  /// The host for the running program.
  public static func current(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> PluginHost {
    PluginHost(
      executable: Files.resolved("/proc/self/exe"),
      cache: UserFolders.cache(environment: environment),
      sanitizers: [("thread", "__tsan_init"), ("address", "__asan_init")]
        .filter { dlsym(nil, $0.1) != nil }.map(\.0))
  }

  /// The folder of the executable: the build folder, unless the program was moved.
  public var folder: String { Files.folder(of: executable) }

  /// The folder with the interfaces of the build's modules.
  public var modules: String { folder + "/Modules" }

  /// The folder for the objects of this package's plugins, beside the executable.
  public var plugins: String { folder + "/Plugins" }

  /// The folder to which the build copied the sources of this package's plugins.
  public var sourcePlugins: String {
    folder + "/AsynchronousPatterns_playground.resources/Plugins"
  }

  /// The modules linked into the executable. A plugin must not contain them: a second copy would define different types
  /// with the same names. Nil if the build's list of modules is not beside the executable.
  ///
  /// The list is long. It is read once, since the modules of a running program do not change.
  public var ownModules: Set<String>? {
    linked.withLock { linked in
      if let linked { return linked }
      let list = Files.read(
        folder + "/" + Files.lastComponent(executable) + ".product/Objects.LinkFileList")
      let modules = list.map(LinkFileList.modules)
      linked = .some(modules)
      return modules
    }
  }

  /// The own modules; nil until they are read, and `.some(nil)` if they are unknown. Copies of a host share it.
  private let linked = Locked<Set<String>??>(nil)

  /// Identifies this build of the executable.
  var identity: String {
    FileStamp(executable).map(\.text) ?? executable
  }

  /// The compiler that built the executable.
  static var compiler: String { String(cString: async_pattern_compiler()) }
}

/// The list of object files that the build passes to the linker: one per line, quoted where necessary.
enum LinkFileList {
  /// The modules whose objects are listed. The folder of each module is named `<Module>.build`. Objects of C modules
  /// may be in subfolders of it.
  ///
  /// - Complexity: O(bytes).
  static func modules(_ list: [UInt8]) -> Set<String> {
    var modules: Set<String> = []
    var module: Slice<UnsafeRawBufferPointer>?
    Files.forEachComponent(in: list, endedBy: UInt8(ascii: "\n")) { component, isLast in
      if isLast {
        if let module { modules.insert(String(decoding: module, as: UTF8.self)) }
        module = nil
      } else if component.suffix(6).elementsEqual(".build".utf8) {
        module = component.dropLast(6)
      }
    }
    return modules
  }
}

/// The folders for a user's files, according to the XDG base directory specification.
enum UserFolders {
  static func cache(environment: [String: String]) -> String {
    folder(environment, "XDG_CACHE_HOME", "/.cache") + "/async-playground"
  }

  static func plugins(environment: [String: String]) -> String {
    folder(environment, "XDG_DATA_HOME", "/.local/share") + "/async-playground/plugins"
  }

  /// Relative paths are ignored, as the specification requires. A relative or empty home is ignored,
  /// too; the home then comes from the system's list of users.
  private static func folder(
    _ environment: [String: String], _ variable: String, _ otherwise: String
  ) -> String {
    if let folder = environment[variable], folder.hasPrefix("/") { return folder }
    if let home = environment["HOME"], home.hasPrefix("/") { return home + otherwise }
    let home = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_dir) }
    return (home ?? "/nonexistent") + otherwise
  }
}
