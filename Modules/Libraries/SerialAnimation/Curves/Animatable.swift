/// A value between any two of which there are others: what an animation can pass through.
///
/// A conformer is a vector space with a length: `+` and `-` are each other's inverse, `scaled(by: 1)` changes
/// nothing, and the magnitude of a difference is the distance of the two. `Double`, `Point`, `Size`,
/// `Rect`, `Color` and the SIMD vectors of two to eight `Double`s conform.
public protocol Animatable: Sendable, Equatable {
  /// What added to a value leaves it as it is.
  static var zero: Self { get }
  static func + (left: Self, right: Self) -> Self
  static func - (left: Self, right: Self) -> Self
  /// The value times a number.
  func scaled(by factor: Double) -> Self
  /// The length of the way from ``zero`` to the value. The paced modes of a ``KeyframeTrack`` measure with it.
  var magnitude: Double { get }
}

extension Animatable {
  /// The value on the straight way to another one: this one exactly at 0, the other exactly at 1, and
  /// beyond them outside of 0…1.
  public func interpolated(to end: Self, at progress: Double) -> Self {
    // Not by the formula: self + (end − self) need not be end in floating point.
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
