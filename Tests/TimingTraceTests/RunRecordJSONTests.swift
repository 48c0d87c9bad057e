import Foundation
import Testing
import TimingTrace

@Suite struct RunRecordJSONTests {
  @Test func `the record is as documented`() {
    let script = EventScript("serial: serial { job/a: 5..15 }")
    #expect(
      script.record(name: "x").json.hasPrefix(
        #"{"record":"run","name":"x","pattern":"serial","clock":"virtual","seed":0,"#
          + #""outcome":"success","value":null,"error":null,"makespan_ns":10000000,"work_ns":0,"#
          + #""blocked_ns":0,"max_concurrency":1,"threads":1,"critical_path":["a"],"#
          + #""steps":[{"label":"a","path":"job/a","pattern":"sleep","submitted_ns":0,"#
          + #""started_ns":0,"finished_ns":10000000,"lane":"pool-1","outcome":"success","#))
  }

  @Test(arguments: [
    Value.none, .bool(true), .integer(-3), .real(1.5), .real(.infinity),
    .duration(.milliseconds(2)),
    .string("a\"\\\n\u{1}é"), .data(Data([1, 2, 255])), .size(3, 4), .curve(0, 0.5, 1, 1),
    .list([.integer(1), .list([.string("x")])]),
  ])
  func `values are written as they encode themselves`(value: Value) throws {
    let record = RunRecord(events: [], clock: .live, result: .success(value))
    let written = try #require(
      try JSONSerialization.jsonObject(with: Data(record.json.utf8)) as? [String: Any])
    let encoded =
      try JSONSerialization.jsonObject(
        with: JSONEncoder().encode([value])) as? [Any]
    #expect("\(written["value"] ?? "")" == "\(encoded?[0] ?? "")")
  }
}
