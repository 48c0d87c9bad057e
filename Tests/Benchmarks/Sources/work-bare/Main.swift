import Hops

@main struct Main {
  static func main() async { await Work.run() }
}
