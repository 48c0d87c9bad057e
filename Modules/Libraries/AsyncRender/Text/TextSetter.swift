internal import CCairo

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Lays out text on one thread. It holds a Pango context and a layout, which are created once per thread and kept.
///
/// Pango has one font map per thread, and creating it takes milliseconds. A kept context also finds
/// its fonts again faster. The context is independent of canvases, because lines do not depend on
/// where they are drawn.
final class TextSetter {
  let context: OpaquePointer
  let layout: OpaquePointer
  private var isBusy = false

  init() {
    context = pango_font_map_create_context(pango_cairo_font_map_get_default())
    pango_cairo_context_set_resolution(context, 96)
    let options = cairo_font_options_create()
    // The same outlines at every scale and position, so that a picture depends only on what is drawn.
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    pango_cairo_context_set_font_options(context, options)
    cairo_font_options_destroy(options)
    pango_context_set_round_glyph_positions(context, 0)
    layout = pango_layout_new(context)
    pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
    pango_layout_set_auto_dir(layout, 0)
  }

  deinit {
    g_object_unref(UnsafeMutableRawPointer(layout))
    g_object_unref(UnsafeMutableRawPointer(context))
  }

  /// Calls `body` with the setter of this thread, or with a new one if that setter is in use. That happens if the
  /// cancellation check of a text is called while the text is drawn, and draws text itself.
  static func use<Result>(_ body: (TextSetter) -> Result) -> Result {
    let setter = ofThread()
    guard !setter.isBusy else { return body(TextSetter()) }
    setter.isBusy = true
    defer { setter.isBusy = false }
    return body(setter)
  }

  private static func ofThread() -> TextSetter {
    if let known = pthread_getspecific(key) {
      return Unmanaged<TextSetter>.fromOpaque(known).takeUnretainedValue()
    }
    let setter = TextSetter()
    pthread_setspecific(key, Unmanaged.passRetained(setter).toOpaque())
    return setter
  }

  /// The key under which a thread keeps its setter until the thread ends.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { setter in
      #if canImport(Darwin)
        Unmanaged<TextSetter>.fromOpaque(setter).release()
      #else
        Unmanaged<TextSetter>.fromOpaque(setter!).release()
      #endif
    }
    return key
  }()
}
