/** The visible stretch of time. */
class View {
  constructor(length) {
    this.length = length;
    this.fit();
  }

  fit() { [this.from, this.to] = [0, this.length]; }

  get span() { return this.to - this.from; }
  get isWhole() { return this.from <= 0 && this.to >= this.length; }

  /** Makes a nanosecond `factor` times as long, and keeps `at` at its place. Returns whether anything changed. */
  zoom(factor, at = (this.from + this.to) / 2) {
    const span = Math.min(Math.max(this.span / factor, Math.min(20, this.length)), this.length);
    if (span === this.span) return false;
    const part = (at - this.from) / this.span;
    this.from = at - part * span;
    this.to = this.from + span;
    this.clamp();
    return true;
  }

  pan(by) {
    this.from += by;
    this.to += by;
    this.clamp();
  }

  /** Moves a stretch into view unless it is visible. */
  show(from, to) {
    if (from >= this.from && to <= this.to) return;
    if (to - from > this.span) return;
    this.pan((from + to) / 2 - (this.from + this.to) / 2);
  }

  clamp() {
    const { span } = this;
    this.from = Math.min(Math.max(this.from, 0), this.length - span);
    this.to = this.from + span;
  }
}
