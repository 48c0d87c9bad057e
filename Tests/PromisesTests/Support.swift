@_exported import PatternTesting
import Promises

extension Promise {
  /// The value, if it has one by now.
  var fulfilled: Success? {
    if case .success(let value)? = current { value } else { nil }
  }

  /// The error, if it has failed by now.
  var rejectedError: Failure? {
    if case .failure(let error)? = current { error } else { nil }
  }
}
