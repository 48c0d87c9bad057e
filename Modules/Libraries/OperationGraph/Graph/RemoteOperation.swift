/// An operation of a run, for others to come after it.
public struct RemoteOperation<Value: Sendable>: Sendable {
  let link: RemoteLink
}
