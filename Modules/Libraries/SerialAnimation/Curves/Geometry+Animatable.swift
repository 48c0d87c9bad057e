public import AsyncGeometry

extension Point: Animatable {}
extension Size: Animatable {}
extension Rect: Animatable {}
extension Color: Animatable {}
