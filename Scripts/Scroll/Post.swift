import AsyncRender

/// The contents of a row.
struct Post: Sendable {
  var author: String
  var text: String
  var color: Color
  /// How often it was read in each hour, from 0 to 1.
  var visits: [Double]
  /// How many people like it; nil until a server has answered.
  var likes: Int?
}

extension Post {
  /// The post at a place of the feed.
  init(at index: Int) {
    let places = (0..<7).map { (index * 3 + $0 * 5) % Self.sentences.count }
    let hue = Double(index * 47 % 360)
    author = Self.authors[index % Self.authors.count]
    let sentences = places.map { Self.sentences[$0] }
    // Three paragraphs have exactly three lines, since the layout shows no more.
    text =
      "\(index + 1). "
      + [sentences[..<2], sentences[2..<4], sentences[4...]].map { $0.joined(separator: " ") }
      .joined(separator: "\n")
    color = Color(
      red: 0.5 + 0.4 * Self.wave(hue), green: 0.5 + 0.4 * Self.wave(hue + 120),
      blue: 0.5 + 0.4 * Self.wave(hue + 240))
    visits = (0..<24).map { Double((index + 7) * ($0 + 3) * 37 % 101) / 100 }
  }

  /// How many people like the post at a place: the answer of a server.
  static func likes(at index: Int) -> Int { index * 7_919 % 997 }

  /// From 1 to -1 and back within 360 degrees.
  private static func wave(_ degrees: Double) -> Double {
    let place = degrees.truncatingRemainder(dividingBy: 360) / 360
    return place < 0.5 ? 1 - 4 * place : 4 * place - 3
  }

  private static let authors = [
    "Ada Lovelace", "Ángela Ruiz Robles", "Émilie du Châtelet", "Grace Hopper",
    "Karen Spärck Jones",
    "Maria Göppert", "Софья Ковалевская", "Wanda Szmielew",
  ]

  private static let sentences = [
    "A list that is flung shows more rows in a second than a person can read.",
    "The thread that takes the touches should do nothing that takes long.",
    "Text is the costly part: shaping letters, breaking lines, and only then pixels.",
    "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich.",
    "A row that has left the screen no longer needs a picture.",
    "Съешь же ещё этих мягких французских булок, да выпей чаю.",
    "A drawing can be cancelled between two lines.",
    "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία.",
    "A frame has sixteen milliseconds and two thirds.",
    "Portez ce vieux whisky au juge blond qui fume.",
    "Old contents stay until the new ones are there.",
  ]
}
