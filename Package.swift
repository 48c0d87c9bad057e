// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// The modules that can be used alone. Each has a library product of the same name.
let modules = [
  "AsyncRuntime", "AsyncPatterns", "SerialQueue", "Promises", "OperationGraph", "AsyncRender",
  "RunLoopTransaction", "SerialAnimation", "AsyncGeometry",
  "TimingTrace", "TraceModel", "TraceAnalysis", "TraceDrawing", "TraceFormats", "AsyncSimulation",
  "AsyncPatternTesting", "ExplorationTesting", "SwiftTasks",
]

/// The patterns of libraries: plugins of the program.
let adapters = [
  "SerialQueuePatterns", "PromisesPatterns", "OperationGraphPatterns", "AsyncRenderPatterns",
  "RunLoopTransactionPatterns",
]

let collections = Package.Dependency.package(
  url: "https://github.com/apple/swift-collections", from: "1.6.0")
let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let cairo = Target.Dependency.target(name: "CCairo", condition: .when(traits: ["Drawing"]))
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")

/// Lists the symbols that the preloaded agent exports to a program. It hides all others, so that the agent and the
/// program may use the same modules.
let agentExports = "\(Context.packageDirectory)/Playground/PreloadedAgent/exports.map"

/// The functions that the agent replaces in a program that contains Swift's libraries: the linker redirects their calls
/// to the agent.
let wrapped = [
  "swift_task_switch", "swift_task_enterThreadLocalContext", "swift_task_exitThreadLocalContext",
  "swift_task_create", "swift_asyncLet_begin", "swift_asyncLet_finish", "swift_task_immediate",
  "swift_job_run", "swift_job_run_on_task_executor", "swift_job_run_on_serial_and_task_executor",
  "dispatch_async_f", "$sScT6cancelyyF", "$sScG9cancelAllyyF", "$sScg9cancelAllyyF",
  "$ss19DiscardingTaskGroupV9cancelAllyyF", "$ss27ThrowingDiscardingTaskGroupV9cancelAllyyF",
  "$sScS12ContinuationV5yieldyAB11YieldResultOyx__GxnF",
  "$sScS12ContinuationV5yield4withAB11YieldResultOyx__Gs0E0Oyxs5NeverOG_tF",
  "$sScs12ContinuationV5yieldyAB11YieldResultOyxq___GxnF",
  "$sScs12ContinuationV5yield4withAB11YieldResultOyxs5Error_p__Gs0E0OyxsAG_pG_tsAG_pRs_rlF",
  "$sScS12ContinuationV5yieldAB11YieldResultOyyt__GyytRszlF",
  "$sScs12ContinuationV5yieldAB11YieldResultOyytq___GyytRszrlF",
  "$sScS8IteratorV4nextxSgyYaF", "$sScS8IteratorV4next9isolationxSgScA_pSgYi_tYaF",
  "$sScs8IteratorV4nextxSgyYaKF", "$sScs8IteratorV4next9isolationxSgScA_pSgYi_tYaq_YKF",
  "$s10Foundation7RunLoopC3run4mode6beforeSbAC4ModeV_0A10Essentials4DateVtF",
  "$s10Foundation7RunLoopC3run5untily0A10Essentials4DateV_tF", "$s10Foundation7RunLoopC3runyyF",
  "$s10Foundation7RunLoopC5_stopyyF", "$s10Foundation7RunLoopC7performyyyyYbcF",
  "$s10Foundation7RunLoopC7perform7inModes5blockySayAC4ModeVG_yyYbctF",
  "$s10Foundation6ThreadC09detachNewB0yyyyYbcFZ",
].flatMap { ["-Xlinker", "--wrap=\($0)"] }
/// The functions that the libraries of this package look up in a program, to report to the agent.
let lookedUp = ["playground_agent_introduce_1", "playground_agent_recordEvent_1"]
  .flatMap { ["-Xlinker", "--export-dynamic-symbol=\($0)"] }

let package = Package(
  name: "AsynchronousPatterns",
  platforms: [.macOS(.v15)],
  products: (modules + adapters).map { .library(name: $0, targets: [$0]) } + [
    .executable(name: "playground", targets: ["playground"]),
    .library(name: "PlaygroundAgent", type: .dynamic, targets: ["PreloadedAgent"]),
    .library(name: "LinkedAgent", targets: ["LinkedAgent"]),
    // The parts of the program that Tests/Fuzzing tests. They are not for other packages.
    .library(name: "FuzzedParts", targets: ["Agent", "PlaygroundLanguage", "Pictures"]),
  ],
  traits: [
    .default(enabledTraits: ["Playground", "Drawing"]),
    .trait(name: "Playground", description: "The program, and the packages that it alone needs."),
    .trait(name: "Drawing", description: "AsyncRender, which needs the system's Pango and Cairo."),
  ],
  dependencies: [
    collections,
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.0"),
  ],
  targets: [
    // The source of time and threads, and the protocol of the traces that record them.
    .target(
      name: "AsyncRuntime", dependencies: [deque, heap], path: "Modules/Runtime/AsyncRuntime",
      swiftSettings: strict),

    // Brings Swift's own tasks into simulations. This target alone knows the private parts of Swift's runtime.
    .target(name: "CSwiftTasks", path: "Modules/Runtime/CSwiftTasks"),
    .target(
      name: "SwiftTasks", dependencies: ["AsyncRuntime", "CSwiftTasks"],
      path: "Modules/Runtime/SwiftTasks", swiftSettings: strict),

    // The protocol that all patterns share.
    .target(name: "CPluginABI", path: "Modules/Patterns/CPluginABI"),
    .target(
      name: "AsyncPatterns", dependencies: ["AsyncRuntime", "CPluginABI"],
      path: "Modules/Patterns/AsyncPatterns",
      swiftSettings: strict),

    // Replaces a file in one step, so that no reader sees an incomplete file.
    .target(name: "FileWriting", path: "Modules/Runtime/FileWriting", swiftSettings: strict),

    // The libraries, which use the runtime, and their patterns, which use the shared protocol.
    .target(
      name: "SerialQueue", dependencies: ["AsyncRuntime", deque],
      path: "Modules/Libraries/SerialQueue", swiftSettings: strict),
    .target(
      name: "SerialQueuePatterns",
      dependencies: ["AsyncPatterns", "AsyncRuntime", "SerialAnimation", "SerialQueue"],
      path: "Modules/Patterns/SerialQueuePatterns", swiftSettings: strict),
    .target(name: "AsyncGeometry", path: "Modules/Runtime/AsyncGeometry", swiftSettings: strict),
    .target(
      name: "SerialAnimation", dependencies: ["AsyncGeometry", "AsyncRuntime", "SerialQueue"],
      path: "Modules/Libraries/SerialAnimation", swiftSettings: strict),
    .target(
      name: "Promises", dependencies: ["AsyncRuntime"], path: "Modules/Libraries/Promises",
      swiftSettings: strict),
    .target(
      name: "PromisesPatterns", dependencies: ["AsyncPatterns", "Promises"],
      path: "Modules/Patterns/PromisesPatterns", swiftSettings: strict),
    .target(
      name: "OperationGraph", dependencies: ["AsyncRuntime", "GraphText", heap, deque],
      path: "Modules/Libraries/OperationGraph",
      swiftSettings: strict),
    .target(
      name: "OperationGraphPatterns",
      dependencies: ["AsyncPatterns", "OperationGraph"],
      path: "Modules/Patterns/OperationGraphPatterns", swiftSettings: strict),
    .target(
      name: "AsyncRender",
      dependencies: [
        "AsyncGeometry", "AsyncRuntime", cairo, deque, heap,
      ],
      path: "Modules/Libraries/AsyncRender", swiftSettings: strict),
    .target(
      name: "AsyncRenderPatterns", dependencies: ["AsyncPatterns", "AsyncRender", "FileWriting"],
      path: "Modules/Patterns/AsyncRenderPatterns", swiftSettings: strict),
    .systemLibrary(
      name: "CCairo", path: "Modules/Libraries/CCairo", pkgConfig: "pangocairo",
      providers: [.apt(["libpango1.0-dev"])]),
    .target(
      name: "RunLoopTransaction", dependencies: ["AsyncRuntime"],
      path: "Modules/Libraries/RunLoopTransaction", swiftSettings: strict),
    .target(
      name: "RunLoopTransactionPatterns",
      dependencies: ["AsyncPatterns", "RunLoopTransaction"],
      path: "Modules/Patterns/RunLoopTransactionPatterns", swiftSettings: strict),

    // Texts in the languages of Graphviz and Mermaid. Importers of the targets that draw graphs do not see this target.
    .target(name: "GraphText", path: "Modules/Trace/GraphText", swiftSettings: strict),

    // The trace: records runs, and analyses and draws the records.
    // JSON and numbers: inlined into the targets of the trace and the program, whose importers do not see this target.
    .target(name: "TraceBasics", path: "Modules/Trace/TraceBasics", swiftSettings: strict),
    .target(
      name: "TraceModel", dependencies: ["AsyncPatterns", "TraceBasics"],
      path: "Modules/Trace/TraceModel", swiftSettings: strict),
    .target(
      name: "TraceAnalysis",
      dependencies: ["FileWriting", "TraceBasics", "TraceModel"],
      path: "Modules/Trace/TraceAnalysis", swiftSettings: strict),
    .target(
      name: "TraceDrawing",
      dependencies: ["TraceAnalysis", "TraceBasics"],
      path: "Modules/Trace/TraceDrawing",
      // Embedded in the program, so that the program needs no file beside it to write a report.
      resources: [.embedInCode("Report/Page")],
      swiftSettings: strict),
    .target(
      name: "TraceFormats",
      dependencies: ["GraphText", "TraceBasics", "TraceDrawing", heap],
      path: "Modules/Trace/TraceFormats", swiftSettings: strict),
    .target(
      name: "TimingTrace", dependencies: ["TraceFormats"], path: "Modules/Trace/TimingTrace",
      swiftSettings: strict),
    .target(
      name: "AsyncSimulation", dependencies: ["AsyncPatterns", "SwiftTasks", deque, heap],
      path: "Modules/Testing/AsyncSimulation",
      swiftSettings: strict),

    // Checks the laws of patterns.
    .target(
      name: "AsyncPatternTesting", dependencies: ["AsyncPatterns", "AsyncSimulation"],
      path: "Modules/Testing/AsyncPatternTesting", swiftSettings: strict),
    // Explores the tests of other packages. No library imports ExplorationTesting, since it needs Swift Testing.
    .target(name: "CDeterministicHashing", path: "Modules/Testing/CDeterministicHashing"),
    .target(
      name: "ExplorationTesting",
      dependencies: ["AsyncRuntime", "AsyncSimulation", "CDeterministicHashing"],
      path: "Modules/Testing/ExplorationTesting", swiftSettings: strict),

    // The program.
    .systemLibrary(
      name: "CReadline", path: "Playground/CReadline",
      providers: [.apt(["libreadline-dev"])]),
    .target(
      name: "LineEditing", dependencies: ["CReadline", "FileWriting"],
      path: "Playground/LineEditing", swiftSettings: strict),
    // Finds declarations and the ends of blocks in Swift code.
    .target(name: "SwiftScanning", path: "Playground/SwiftScanning", swiftSettings: strict),
    .target(
      name: "PlaygroundLanguage", dependencies: ["SwiftScanning"], path: "Playground/Language",
      swiftSettings: strict),
    .target(
      name: "Composing", dependencies: ["AsyncPatterns", "PlaygroundLanguage", "SwiftScanning"],
      path: "Playground/Composing", swiftSettings: strict),
    .target(
      name: "WhatIf",
      dependencies: ["AsyncPatterns", "Composing", "PlaygroundLanguage", "TimingTrace"],
      path: "Playground/WhatIf", swiftSettings: strict),
    .target(
      name: "Pictures", dependencies: ["TimingTrace", cairo], path: "Playground/Pictures",
      swiftSettings: strict),
    .target(
      name: "PluginLoading",
      dependencies: ["AsyncPatterns", "CPluginABI", "PlaygroundLanguage", "SwiftScanning"],
      path: "Playground/Loading", swiftSettings: strict),
    .target(
      name: "SystemSteps",
      dependencies: [
        "AsyncPatterns", "FileWriting",
        .product(
          name: "Subprocess", package: "swift-subprocess",
          condition: .when(traits: ["Playground"])),
      ],
      path: "Playground/SystemSteps", swiftSettings: strict),
    // The agent, which a program loads to be explored, and the messages between the agent and the playground.
    .target(
      name: "CPlaygroundAgent", dependencies: ["CSwiftTasks"], path: "Playground/CPlaygroundAgent"),
    .target(
      name: "AgentMessages", dependencies: ["AsyncSimulation"],
      path: "Playground/AgentMessages", swiftSettings: strict),
    .target(
      name: "Agent",
      dependencies: [
        "AgentMessages", "AsyncRuntime", "AsyncSimulation", "CPlaygroundAgent", "SwiftTasks",
        "TraceAnalysis", "TraceModel",
      ],
      path: "Playground/Agent", swiftSettings: strict),
    .target(
      name: "PreloadedAgent", dependencies: ["Agent"], path: "Playground/PreloadedAgent",
      exclude: ["exports.map"],
      linkerSettings: [.unsafeFlags(["-Xlinker", "--version-script=\(agentExports)"])]),
    .target(
      name: "LinkedAgent", dependencies: ["Agent"], path: "Playground/LinkedAgent",
      linkerSettings: [.unsafeFlags(wrapped + lookedUp)]),
    .executableTarget(
      name: "playground",
      dependencies: [
        "AgentMessages", "AsyncPatterns", "AsyncPatternTesting", "TimingTrace", "AsyncSimulation",
        "LineEditing", "SwiftTasks",
        // Linked into the program itself, so that plugins share it.
        "AsyncGeometry",
        "PlaygroundLanguage", "Composing", "PluginLoading", "SwiftScanning", "SystemSteps",
        "WhatIf", "Pictures", "FileWriting", "TraceBasics",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["Playground"])),
      ],
      path: "Playground",
      exclude: [
        "Agent", "AgentMessages", "CPlaygroundAgent", "CReadline", "Composing", "Language",
        "LineEditing", "LinkedAgent", "Loading", "Pictures", "PreloadedAgent", "SwiftScanning",
        "SystemSteps",
        "WhatIf",
      ],
      sources: ["Program"],
      resources: [.copy("Plugins")],
      swiftSettings: strict,
      linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic"], .when(platforms: [.linux]))]),

    // The tests of the modules above.
    .testTarget(
      name: "AsyncRuntimeTests",
      dependencies: [
        "AsyncRuntime", "OperationGraph", "PatternTesting", "Promises", "SerialQueue",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "AsyncPatternsTests",
      dependencies: ["AsyncPatterns", "AsyncSimulation", "PatternTesting"],
      swiftSettings: strict),
    .testTarget(
      name: "FileWritingTests", dependencies: ["FileWriting"], swiftSettings: strict),
    .testTarget(
      name: "SerialQueueTests",
      dependencies: [
        "SerialQueue", "SerialQueuePatterns", "AsyncPatternTesting", "PatternTesting",
        "TimingTrace",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SerialAnimationTests",
      dependencies: ["SerialAnimation", "SerialQueuePatterns", "PatternTesting"],
      swiftSettings: strict),
    .testTarget(
      name: "PromisesTests",
      dependencies: [
        "Promises", "PromisesPatterns", "AsyncSimulation", "PatternTesting", "TimingTrace",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "OperationGraphTests",
      dependencies: [
        "OperationGraph", "OperationGraphPatterns", "PatternTesting", "TerminalTesting",
        "TimingTrace",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "AsyncRenderTests",
      dependencies: [
        "AsyncRender", "AsyncRenderPatterns", "CCairo", "PatternTesting", "RunLoopTransaction",
        "TimingTrace",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "RunLoopTransactionTests",
      dependencies: ["RunLoopTransaction", "RunLoopTransactionPatterns", "PatternTesting"],
      swiftSettings: strict),
    .testTarget(
      name: "RecordingTests",
      dependencies: ["TimingTrace", "AsyncSimulation", "PatternTesting", "SerialQueue"],
      swiftSettings: strict),
    .testTarget(
      name: "TimingTraceTests",
      dependencies: [
        "TimingTrace", "TraceBasics", "AsyncSimulation", "PatternTesting", "SerialQueue",
        "TerminalTesting",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "AsyncSimulationTests",
      dependencies: [
        "AsyncSimulation", "PatternTesting", "PlainSwiftScenarios", "SwiftTasks", "TimingTrace",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SwiftTasksTests", dependencies: ["CSwiftTasks", "SwiftTasks"], swiftSettings: strict),
    .testTarget(
      name: "ExplorationTestingTests", dependencies: ["ExplorationTesting", "PatternTesting"],
      swiftSettings: strict),
    .testTarget(
      name: "AsyncPatternTestingTests",
      dependencies: [
        "AsyncPatternTesting", "AsyncPatterns", "PatternTesting", "SerialQueuePatterns",
        "PromisesPatterns", "OperationGraphPatterns", "RunLoopTransactionPatterns",
        "AsyncRenderPatterns",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SwiftScanningTests", dependencies: ["SwiftScanning"], swiftSettings: strict),
    .testTarget(
      name: "PlaygroundLanguageTests", dependencies: ["PlaygroundLanguage", "SwiftScanning"],
      swiftSettings: strict),
    .testTarget(
      name: "ComposingTests", dependencies: ["Composing", "PlaygroundLanguage", "AsyncPatterns"],
      swiftSettings: strict),
    .testTarget(
      name: "WhatIfTests", dependencies: ["WhatIf", "SerialQueuePatterns", "AsyncSimulation"],
      swiftSettings: strict),
    .testTarget(
      name: "PicturesTests", dependencies: ["Pictures", "CCairo", "PatternTesting", "TimingTrace"],
      swiftSettings: strict),
    .testTarget(
      name: "PluginLoadingTests", dependencies: ["PluginLoading", "SwiftScanning"],
      swiftSettings: strict),
    .testTarget(
      name: "LineEditingTests",
      dependencies: ["LineEditing", "LineEditingEcho", "TerminalTesting"], swiftSettings: strict),
    .testTarget(
      name: "SystemStepsTests", dependencies: ["SystemSteps"], swiftSettings: strict),
    .testTarget(
      name: "EndToEndTests", dependencies: ["TimingTrace", "TerminalTesting"],
      swiftSettings: strict),

    // Helpers for the tests: they run patterns on the virtual clock, programs with or without a terminal, and a program
    // that has only a prompt.
    .target(
      name: "PatternTesting", dependencies: ["AsyncRuntime", "AsyncSimulation"],
      path: "Tests/PatternTesting", swiftSettings: strict),
    .target(name: "TerminalTesting", path: "Tests/TerminalTesting", swiftSettings: strict),
    // Programs of plain Swift, and an executable that runs them repeatedly: see Scripts/determinism.
    .target(
      name: "PlainSwiftScenarios", dependencies: ["AsyncSimulation", "CDeterministicHashing"],
      path: "Tests/PlainSwiftScenarios", swiftSettings: strict),
    .executableTarget(
      name: "Determinism", dependencies: ["PlainSwiftScenarios"], path: "Tests/Determinism",
      swiftSettings: strict),
    // Performs many operations of each library and checks that memory stays constant; see Scripts/soak.
    .executableTarget(
      name: "LibrarySoak",
      dependencies: [
        "AsyncGeometry", "AsyncRender", "AsyncRuntime", "AsyncSimulation", "OperationGraph",
        "Promises",
        "RunLoopTransaction", "SerialAnimation", "SerialQueue",
      ],
      path: "Tests/LibrarySoak", swiftSettings: strict),
    .executableTarget(
      name: "LibraryProgram",
      dependencies: ["AsyncPatterns", "OperationGraph", "Promises", "SerialQueue"],
      path: "Tests/LibraryProgram", swiftSettings: strict),
    .executableTarget(
      name: "LineEditingEcho", dependencies: ["LineEditing"], path: "Tests/LineEditingEcho",
      swiftSettings: strict),
  ]
)

// The only tests to build, such as TESTED_MODULES=Promises,Pictures. Scripts/test sets it.
if let modules = Context.environment["TESTED_MODULES"]?.split(separator: ",") {
  package.targets.removeAll { target in
    target.type == .test && !modules.contains(target.name.dropLast("Tests".count))
  }
}
