extension Session {
  func save(to path: String) {}
  func compareFiles(_ a: String, _ b: String) {}
  func trace(_ action: String, file: String, format: String?, to: String?) {}
}
