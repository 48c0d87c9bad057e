/// An optional number in the memory of the number: the smallest number means nil.
@usableFromInline
package struct CompactOptional<Number: FixedWidthInteger & Sendable>: Sendable,
  Hashable
{
  @usableFromInline var number = Number.min

  @inlinable package init(_ value: Number? = nil) { self.value = value }

  @inlinable package init(position: Int?) { self.position = position }

  /// Setting the smallest number sets the next larger one.
  @inlinable package var value: Number? {
    get { number == .min ? nil : number }
    set { number = newValue.map { max($0, .min + 1) } ?? .min }
  }

  /// The value as a position in an array. A position that is too large becomes the largest one.
  @inlinable package var position: Int? {
    get { number == .min ? nil : Int(number) }
    set { number = newValue.map { Number(clamping: $0) } ?? .min }
  }
}
