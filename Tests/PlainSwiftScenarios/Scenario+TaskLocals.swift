import AsyncSimulation

private enum Request {
  @TaskLocal static var number = 0
}

extension Scenario {
  static let taskLocals = [
    Scenario("task-local values reach tasks and children, but no detached task") {
      try await Request.$number.withValue(7) {
        async let child = Request.number
        let task = Task { Request.number }
        let detached = Task.detached { Request.number }
        let inGroup = await withTaskGroup(of: Int.self) { group in
          group.addTask { Request.number }
          return await group.next()
        }
        try check(await child == 7)
        try check(await task.value == 7)
        try check(await detached.value == 0)
        try check(inGroup == 7)
      }
      try check(Request.number == 0)
    },
    Scenario("a task-local value holds across hops, and only in its scope") {
      let reader = RequestReader()
      try await withThrowingTaskGroup { group in
        for number in 1...3 {
          group.addTask {
            try await Request.$number.withValue(number) {
              try check(await reader.read() == number)
              await Task.yield()
              try await Request.$number.withValue(number * 10) {
                try check(await reader.read() == number * 10)
              }
              try check(await reader.read() == number)
            }
          }
        }
        try await group.waitForAll()
      }
    },
  ]
}

private actor RequestReader {
  func read() async -> Int {
    let before = Request.number
    await Task.yield()
    return before == Request.number ? before : -1
  }
}
