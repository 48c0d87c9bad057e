#if os(Linux)
  import Foundation
  import Testing

  @testable import SwiftTasks

  @Suite struct ThunkTests {
    /// The memory after a small closure may hold any words. One may be an address between two parts of a library,
    /// where nothing can be read.
    @Test func `a word after a closure may point to memory that cannot be read`() throws {
      let gap = try #require(try Self.gapInLibrary(), "No library has a gap.")
      // Positions and sizes in words, as in layout.c of CSwiftTasks.
      let wordBeforeContext = 2
      let (contextOfTask, wordsOfTask, headerOfClosure) = (8, 26, 2)
      try withUnsafeTemporaryAllocation(of: UInt.self, capacity: 4 * wordsOfTask) { memory in
        memory.initialize(repeating: 0)
        let start = try #require(memory.baseAddress)
        let closure = start + wordsOfTask
        closure[headerOfClosure] = gap
        let context = start + 2 * wordsOfTask
        context[-wordBeforeContext] = UInt(bitPattern: closure)
        start[contextOfTask] = UInt(bitPattern: context)
        #expect(SwiftTask(pointer: start).functionsInsideThunk.isEmpty)
      }
    }

    /// An address inside the range of a library that belongs to no part of it.
    private static func gapInLibrary() throws -> UInt? {
      let map = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/maps")).readToEnd()
      return String(decoding: map ?? Data(), as: UTF8.self).split(separator: "\n").lazy
        .filter { $0.contains(" ---p ") && $0.hasSuffix(".so") }
        .compactMap { UInt($0.prefix { $0 != "-" }, radix: 16) }.first
    }
  }
#endif
