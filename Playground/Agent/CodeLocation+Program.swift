import SwiftTasks

extension CodeLocation {
  /// Whether the code at an address of this process, which has this location, belongs to the program.
  ///
  /// Without debug information, the code must be in the program's own file. Stubs of the linker then seem to belong to
  /// the function before them, which is one of the system.
  func isOfProgram(at address: CodeAddress) -> Bool {
    guard library == nil, !isThunk else { return false }
    if file != nil { return true }
    return address.image == ProgramArguments.programName[...] && !function.hasPrefix("_")
  }
}
