extension Session {
  func save(to path: String) {}
  func compareFiles(_ a: String, _ b: String) {}
  func trace(_ action: String, file: String, format: String?, to: String?) {}
  func plugin(_ action: String, _ names: [String]) async {}
}
