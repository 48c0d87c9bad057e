/// Files as earlier versions of the format had them.
enum OlderFiles {
  /// `serial.semaphore { q: 2 * block 1ms }`, with its record in full, which lacks the edges to the run's own step.
  static let second = #"""
    {"format":"asynchronous-pattern-runs","version":2,"machine":{"cores":2,"os":"Linux",\#
    "compiler":"6.3","build":"debug"}}
    {"name":"serial.semaphore { q: 2 * block 1ms }","source":"serial.semaphore { q: 2 * block 1ms \#
    }","composition":"serial.semaphore { q-1: block; q-2: block }","script":"serial.semaphore { \#
    q: 2 * block 1ms }","workers":4,"record":{"record":"run","name":"serial.semaphore { q: 2 * \#
    block 1ms }","pattern":"serial.semaphore","clock":"virtual","seed":0,"outcome":"success",\#
    "value":null,"error":null,"makespan_ns":2000000,"work_ns":0,"blocked_ns":4000000,\#
    "max_concurrency":1,"threads":2,"critical_path":["q-1","q-2"],"steps":[{"label":"q-1",\#
    "path":"q-1","pattern":"block","submitted_ns":0,"started_ns":0,"finished_ns":1000000,\#
    "lane":"pool-2","outcome":"success","critical":true,"work_ns":0,"blocked_ns":1000000,\#
    "leaf":true,"finish_rank":0},{"label":"q-2","path":"q-2","pattern":"block","submitted_ns":0,\#
    "started_ns":1000000,"finished_ns":2000000,"lane":"pool-2","outcome":"success",\#
    "critical":true,"work_ns":0,"blocked_ns":1000000,"leaf":true,"finish_rank":1}],"edges":[],\#
    "lints":[{"rule":"blocked-thread","step":"serial.semaphore","message":"“serial.semaphore” \#
    kept a thread parked for 2ms in 2 stretches; let each completion start what comes next, as \#
    serial does, and no thread need wait for it",\#
    "page":"documentation/timingtrace/lints#blocked-thread"},{"rule":"blocked-thread",\#
    "step":"q-1","message":"“q-1” kept a thread parked for 1ms; wait with a timer (sleep) or for \#
    a completion, which park none","page":"documentation/timingtrace/lints#blocked-thread"},\#
    {"rule":"blocked-thread","step":"q-2","message":"“q-2” kept a thread parked for 1ms; wait \#
    with a timer (sleep) or for a completion, which park none",\#
    "page":"documentation/timingtrace/lints#blocked-thread"}],"intervals":[{"kind":"blocked",\#
    "step":"serial.semaphore","lane":"pool-1","from_ns":0,"to_ns":1000000},{"kind":"blocked",\#
    "step":"q-1","lane":"pool-2","from_ns":0,"to_ns":1000000},{"kind":"blocked",\#
    "step":"serial.semaphore","lane":"pool-1","from_ns":1000000,"to_ns":2000000},\#
    {"kind":"blocked","step":"q-2","lane":"pool-2","from_ns":1000000,"to_ns":2000000}],\#
    "counters":[],"events":19,"dropped_events":0},"events":[["submitted",0,1,1,0,\#
    "serial.semaphore","serial.semaphore"],["started",0,1,1],["submitted",0,1,2,1,"q-1","block"],\#
    ["submitted",0,1,3,1,"q-2","block"],["blocked",0,1,1],["started",0,2,2],["blocked",0,2,2],\#
    ["unblocked",1000000,2,2],["finished",1000000,2,2,"success",""],["unblocked",1000000,1,1],\#
    ["edge",1000000,1,1,"woke",2],["blocked",1000000,1,1],["started",1000000,2,3],["blocked",\#
    1000000,2,3],["unblocked",2000000,2,3],["finished",2000000,2,3,"success",""],["unblocked",\#
    2000000,1,1],["edge",2000000,1,1,"woke",3],["finished",2000000,1,1,"success","",1]]}

    """#
}
