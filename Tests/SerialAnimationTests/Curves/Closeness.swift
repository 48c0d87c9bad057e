import SerialAnimation
import Testing

/// How near reference vectors are to be met.
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

/// 0, step, 2 · step … 1.
func shares(_ count: Int) -> [Double] { (0...count).map { Double($0) / Double(count) } }

/// Numbers that no formula likes.
let oddNumbers: [Double] = [
  .nan, .infinity, -.infinity, 0, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
  -.greatestFiniteMagnitude, -1, 1e300,
]
