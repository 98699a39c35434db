// The edges of a polygon, bucketed by the first row that they touch, as linked lists in typed arrays. Reused from polygon to
// polygon; they grow and never shrink.

export class Edges {
  count = 0;
  /** x at the top end, slope dx/dy, y of both ends, +1 for edges that go down and −1 for those that go up. */
  x = new Float64Array(256);
  slope = new Float64Array(256);
  top = new Float64Array(256);
  bottom = new Float64Array(256);
  winding = new Int8Array(256);
  next = new Int32Array(256);

  reserve(count: number): void {
    if (count <= this.x.length) return;
    const size = Math.max(count, this.x.length * 2);
    this.x = new Float64Array(size);
    this.slope = new Float64Array(size);
    this.top = new Float64Array(size);
    this.bottom = new Float64Array(size);
    this.winding = new Int8Array(size);
    this.next = new Int32Array(size);
  }
}
