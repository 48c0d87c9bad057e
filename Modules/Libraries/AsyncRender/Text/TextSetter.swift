internal import CCairo

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What lays out text on one thread: a context of Pango's and a layout, made once for a thread and kept.
///
/// Pango has a font map for each thread, and making the first one takes milliseconds; a context finds its fonts
/// again. It knows nothing of canvases: lines do not depend on where they are drawn.
final class TextSetter {
  let context: OpaquePointer
  let layout: OpaquePointer
  private var isBusy = false

  init() {
    context = pango_font_map_create_context(pango_cairo_font_map_get_default())
    pango_cairo_context_set_resolution(context, 96)
    let options = cairo_font_options_create()
    // The same outlines at every scale and place: so a picture depends on nothing but what is drawn.
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

  /// Calls `body` with the thread's own; with another one while that is busy, which is when somebody draws
  /// text from where text that is drawn asks whether it is called off.
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

  /// Under which a thread keeps its own, until it ends.
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
