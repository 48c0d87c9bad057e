import AsyncPatterns
import Foundation

/// The objects that this process has opened. The system's loader identifies objects by path. It would therefore return
/// the old object for a path that now holds another one.
enum OpenedObjects {
  private static let stamps = Locked<[String: FileStamp]>([:])

  static func note(_ object: String) {
    let stamp = FileStamp(object)
    stamps.withLock { $0[object] = stamp }
  }

  /// The plugin with an object that can be opened: a copy, if another object was opened at the same path before.
  static func placed(_ plugin: BuiltPlugin, cache: PluginCache) throws(PluginError) -> BuiltPlugin {
    guard let stamp = FileStamp(plugin.object),
      let opened = stamps.withLock({ $0[plugin.object] }), opened != stamp
    else { return plugin }
    var plugin = plugin
    let name = EntryPoint.identifier(plugin.origin.name)
    let copy = "\(cache.folder("objects"))/\(name)_\(stamp.hash.prefix(12)).so"
    if !ObjectFile.isUsable(copy) {
      let scratch = cache.scratch()
      defer { LoaderRemains.removeFolder(scratch) }
      let made = scratch + "/" + name
      guard (try? FileManager.default.copyItem(atPath: plugin.object, toPath: made)) != nil,
        Files.place(made, at: copy) == nil
      else { throw .unwritable(copy) }
    }
    plugin.object = copy
    return plugin
  }
}
