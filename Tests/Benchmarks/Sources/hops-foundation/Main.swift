import Foundation
import Hops

@main struct Main {
  static func main() async {
    print(Date())
    await Hops.run()
  }
}
