import SerialAnimation
import Testing

/// The allowed difference from a reference value.
let vectorTolerance = 1e-5

func isClose(_ value: Double, _ expected: Double, within tolerance: Double = vectorTolerance)
  -> Bool
{
  abs(value - expected) <= tolerance
}

func isClose<Value: Animatable>(
  _ value: Value, _ expected: Value, within tolerance: Double = vectorTolerance
) -> Bool {
  (value - expected).magnitude <= tolerance
}

/// The numbers from 0 to 1 in `count` equal steps.
func shares(_ count: Int) -> [Double] { (0...count).map { Double($0) / Double(count) } }

/// Extreme and invalid numbers.
let oddNumbers: [Double] = [
  .nan, .infinity, -.infinity, 0, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
  -.greatestFiniteMagnitude, -1, 1e300,
]
