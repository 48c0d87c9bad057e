@_exported import PatternTesting
import Promises

extension Promise {
  /// The value of the promise, or nil if it is not fulfilled yet.
  var fulfilled: Success? {
    if case .success(let value)? = current { value } else { nil }
  }

  /// The error of the promise, or nil if it is not rejected yet.
  var rejectedError: Failure? {
    if case .failure(let error)? = current { error } else { nil }
  }
}
