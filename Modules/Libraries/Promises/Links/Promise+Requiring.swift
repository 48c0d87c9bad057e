public import AsyncRuntime

/// A value did not meet a requirement of a promise's chain.
public struct RequirementFailed: Error, CustomStringConvertible {
  /// The place of the requirement, as “file:line”.
  public let site: String
  let requirement: String

  init(_ requirement: String, _ site: Site) {
    self.requirement = requirement
    self.site = site.description
  }

  public var description: String { "\(requirement) (required at \(site))" }
}

extension Promise {
  /// A promise for the value that `transform` returns. It fails with `error` if `transform` returns nil.
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

  /// A promise for the wrapped value. It fails with `error` if the value is nil.
  public func unwrap<Wrapped: Sendable>(
    orError error: @escaping @autoclosure @Sendable () -> Failure, file: StaticString = #fileID,
    line: UInt = #line
  ) -> Promise<Wrapped, Failure> where Success == Wrapped? {
    compactMap(orError: error(), on: .inline, file: file, line: line) { $0 }
  }

  /// A promise for the wrapped value, or for `value` if the wrapped value is nil.
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
  /// A promise for the value that `transform` returns. It fails with `RequirementFailed` if `transform` returns nil.
  public func compactMap<NewSuccess: Sendable>(
    on placement: Placement? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ transform: @escaping @Sendable (Success) throws -> NewSuccess?
  ) -> Promise<NewSuccess, any Error> {
    compactMap(
      orError: RequirementFailed("compactMap got no value", Site(file, line)), on: placement,
      file: file, line: line, transform)
  }

  /// A promise for the wrapped value. It fails with `RequirementFailed` if the value is nil.
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
