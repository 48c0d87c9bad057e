public import AsyncRuntime

/// A value did not meet what a promise's chain asks of it.
public struct RequirementFailed: Error, CustomStringConvertible {
  /// Where that was asked, as “file:line”.
  public let site: String
  let requirement: String

  init(_ requirement: String, _ site: Site) {
    self.requirement = requirement
    self.site = site.description
  }

  public var description: String { "\(requirement) (asked at \(site))" }
}

extension Promise {
  /// A promise for what `transform` makes of the value, or `error` if that is nil.
  public func compactMap<NewSuccess: Sendable>(
    orError error: @escaping @autoclosure @Sendable () -> Failure, on placement: Placement? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    _ transform: @escaping @Sendable (Success) throws(Failure) -> NewSuccess?
  ) -> Promise<NewSuccess, Failure> {
    map(on: placement, file: file, line: line) { value throws(Failure) in
      guard let value = try transform(value) else { throw error() }
      return value
    }
  }

  /// The value that is in it, or `error` if there is none.
  public func unwrap<Wrapped: Sendable>(
    orError error: @escaping @autoclosure @Sendable () -> Failure, file: StaticString = #fileID,
    line: UInt = #line
  ) -> Promise<Wrapped, Failure> where Success == Wrapped? {
    compactMap(orError: error(), on: .inline, file: file, line: line) { $0 }
  }

  /// The value that is in it, or `value` if there is none.
  public func unwrap<Wrapped: Sendable>(
    orReplace value: @escaping @autoclosure @Sendable () -> Wrapped, file: StaticString = #fileID,
    line: UInt = #line
  ) -> Promise<Wrapped, Failure> where Success == Wrapped? {
    map(on: .inline, file: file, line: line) { $0 ?? value() }
  }

  /// Passes the value on if it meets `condition`; otherwise fails with `error`.
  public func validate(
    orError error: @escaping @autoclosure @Sendable () -> Failure, on placement: Placement? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    _ condition: @escaping @Sendable (Success) -> Bool
  ) -> Promise {
    map(on: placement, file: file, line: line) { value throws(Failure) in
      guard condition(value) else { throw error() }
      return value
    }
  }
}

extension Promise where Failure == any Error {
  /// A promise for what `transform` makes of the value; it fails with `RequirementFailed` if that is nil.
  public func compactMap<NewSuccess: Sendable>(
    on placement: Placement? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ transform: @escaping @Sendable (Success) throws -> NewSuccess?
  ) -> Promise<NewSuccess, any Error> {
    compactMap(
      orError: RequirementFailed("compactMap got no value", Site(file, line)), on: placement,
      file: file, line: line, transform)
  }

  /// The value that is in it; it fails with `RequirementFailed` if there is none.
  public func unwrap<Wrapped: Sendable>(
    file: StaticString = #fileID, line: UInt = #line
  ) -> Promise<Wrapped, any Error> where Success == Wrapped? {
    unwrap(
      orError: RequirementFailed("unwrap got no value", Site(file, line)), file: file, line: line)
  }

  /// Passes the value on if it meets `condition`; otherwise fails with `RequirementFailed`.
  public func validate(
    on placement: Placement? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ condition: @escaping @Sendable (Success) -> Bool
  ) -> Promise {
    validate(
      orError: RequirementFailed("the value is not valid", Site(file, line)), on: placement,
      file: file, line: line, condition)
  }
}
