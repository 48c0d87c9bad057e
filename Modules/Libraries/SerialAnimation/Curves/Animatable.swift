/// A type whose values can be animated: between any two of them there are others.
///
/// A conforming type is a vector space with a norm. `+` and `-` are inverse operations, and `scaled(by: 1)` changes
/// nothing. The magnitude of a difference is the distance between the two values. `Double`, `Point`, `Size`, `Rect`,
/// `Color` and the SIMD vectors of two to eight `Double`s conform.
public protocol Animatable: Sendable, Equatable {
  /// The value that changes nothing when it is added.
  static var zero: Self { get }
  static func + (left: Self, right: Self) -> Self
  static func - (left: Self, right: Self) -> Self
  /// The value multiplied by a number.
  func scaled(by factor: Double) -> Self
  /// The distance from ``zero`` to the value. The paced modes of a ``KeyframeTrack`` use it to measure distances.
  var magnitude: Double { get }
}

extension Animatable {
  /// The value on the straight line to another one. It is exactly this value at 0 and exactly the other one at 1. If
  /// `progress` is outside 0…1, the value lies beyond these two.
  public func interpolated(to end: Self, at progress: Double) -> Self {
    // The formula does not guarantee this: in floating point, self + (end − self) need not equal end.
    if progress == 0 { return self }
    if progress == 1 { return end }
    return self + (end - self).scaled(by: progress)
  }
}

extension Double: Animatable {
  public func scaled(by factor: Double) -> Double { self * factor }
}

extension SIMD where Scalar == Double {
  public func scaled(by factor: Double) -> Self { self * factor }
  /// The Euclidean length.
  public var magnitude: Double { (self * self).sum().squareRoot() }
}

extension SIMD2: Animatable where Scalar == Double {}
extension SIMD3: Animatable where Scalar == Double {}
extension SIMD4: Animatable where Scalar == Double {}
extension SIMD8: Animatable where Scalar == Double {}
