/// An operation of a run that operations of other runs can come after.
public struct RemoteOperation<Value: Sendable>: Sendable {
  let link: RemoteLink
}
