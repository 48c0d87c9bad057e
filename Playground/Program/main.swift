// The main thread runs the run loop, so this call is synchronous. All asynchronous code runs inside the loop.
Program.main(Array(CommandLine.arguments.dropFirst()))
