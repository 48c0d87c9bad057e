// The run loop lives on the main thread, so nothing here is asynchronous: what is, runs inside it.
Program.main(Array(CommandLine.arguments.dropFirst()))
