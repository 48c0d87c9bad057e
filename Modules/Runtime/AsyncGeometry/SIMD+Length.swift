extension SIMD where Scalar == Double {
  /// The Euclidean length.
  var length: Double { (self * self).sum().squareRoot() }
}
