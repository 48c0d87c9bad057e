package import AsyncRuntime

/// The random numbers of tests. A seed always gives the same numbers, so a failure can be repeated.
package typealias SeededGenerator = SplitMix
