import AsyncPatterns
import AsyncSimulation

extension PatternLaws {
  /// When a step fails, the pattern does what its manual says.
  ///
  /// If steps end at the same instant, any of them may be regarded as the first to end.
  public func deliversFailure() async -> LawVerdict {
    var workloads = Workloads(for: manual)
    let time = Workloads.time
    for failing in 0..<7 {
      workloads.add(of: 3) { index, _ in
        index == failing ? .fails(after: time(index)) : .sleeps(time(index))
      }
      workloads.add { index, _ in
        index == failing ? .fails(after: time(index)) : .sleeps(time(index))
      }
      workloads.add(of: 7) { index, _ in
        index == failing ? .fails(after: time(index)) : .sleeps(time(index))
      }
    }
    // In this workload, the first failing step in the order of the steps is not the first one to fail.
    workloads.add { index, count in
      index == 0 || index == count - 1
        ? .fails(after: time(count - index)) : .sleeps(time(count - index))
    }
    workloads.add { index, _ in .fails(after: time(index)) }
    workloads.add { _, _ in .fails(after: 2) }
    workloads.add { _, _ in .failsImmediately }
    workloads.add { index, count in index == count / 2 ? .failsImmediately : .completesImmediately }
    workloads.add { index, count in index == count / 2 ? .fails(after: 2) : .sleeps(2) }
    workloads.add(.failure, behaviour: Workloads.mixed)
    workloads.add(.failure, behaviour: Workloads.alike)
    workloads.add { index, count in
      switch index {
      case 0 where count > 1: .completesTwice(2)
      case count - 1: .fails(after: 2 * time(index + 1))
      default: .sleeps(2 * time(index + 1))
      }
    }
    let behavior = manual.failure
    let flow = manual.flow
    return await search(
      .deliversFailure, workloads,
      Property(isRecording: true) { trial, workload in
        FailureDelivery(trial, flow, followers: workload.followers).finding(behavior)
      })
  }
}
