import Foundation
public import Testing

/// Whether the process runs under ThreadSanitizer, which makes everything ten times slower.
public var isThreadSanitized: Bool { dlsym(nil, "__tsan_init") != nil }

extension Trait where Self == ConditionTrait {
  /// For a long test of stack, memory or time. ThreadSanitizer changes all three, and finds the same races in short
  /// tests.
  public static var unlessThreadSanitized: Self {
    .disabled(if: isThreadSanitized, "Stack, memory and time differ under ThreadSanitizer.")
  }
}
