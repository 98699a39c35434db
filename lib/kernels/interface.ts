// The kernels' interface to their callers. The files of assembly/ document the parameters; addresses are byte offsets into the
// memory.

/** The memory that addresses refer to. Growing it replaces `buffer`. */
export interface KernelMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

export interface Kernels {
  readonly memory: KernelMemory;
  heapStart(): number;

  deflateStart(rowBytes: number): void;
  deflateBound(length: number): number;
  deflateBytes(from: number, length: number, out: number, depth: number, last: boolean): number;
  deflateSampleBits(from: number, length: number, depth: number): number;

  filterRows(
    pixels: number,
    width: number,
    rows: number,
    channels: number,
    repeats: number,
    hasAbove: boolean,
    filtered: boolean,
    lines: number,
    out: number,
  ): void;

  glyphCoverage(
    points: number,
    ends: number,
    contours: number,
    left: number,
    top: number,
    width: number,
    height: number,
    steps: number,
    areas: number,
    out: number,
  ): void;

  gradientTable(): number;
  gradientPlaces(): number;
  gradientColors(): number;
  gradientPixels(): number;
  gradientBends(): number;
  gradientKnotsOfCells(): number;
  linearGradientRow(count: number, u: number, du: number, isRepeating: boolean, cells: number, knots: number): void;
  polarGradientRow(
    isConic: boolean,
    count: number,
    u: number,
    v: number,
    du: number,
    dv: number,
    scale: number,
    shift: number,
    isRepeating: boolean,
    cells: number,
    knots: number,
    reach: number,
    curvature: number,
    maxMargin: number,
  ): void;

  paletteStart(): void;
  indexRows(pixels: number, width: number, rows: number, repeats: number, out: number): number;
  indexedColor(index: number): number;

  jpegSetHuffmanTable(isAc: boolean, index: number, counts: number, symbols: number): boolean;
  jpegDecodeMemory(components: number, mcusPerRow: number, lumaH: number, lumaV: number): number;
  jpegDecodeStart(
    from: number,
    components: number,
    lumaH: number,
    lumaV: number,
    isBlackFull: boolean,
    isYcck: boolean,
    width: number,
    height: number,
    restartInterval: number,
    selectors: number,
    quantTables: number,
    planes: number,
  ): void;
  jpegDecodeMcuRow(out: number, stride: number): number;
  jpegDecodeEnd(): boolean;

  scaleRows(
    pixels: number,
    stride: number,
    offsets: number,
    weights: number,
    width: number,
    rowSources: number,
    next: 0 | 1,
    rows: number,
    lines: number,
    opaqueFlags: number,
    out: number,
  ): void;

  jpegEncodeStart(): void;
  jpegEncodeMcuRow(
    pixels: number,
    width: number,
    rows: number,
    mcus: number,
    isSubsampled: boolean,
    tables: number,
    out: number,
    last: boolean,
  ): number;

  webpIndexStart(): void;
  webpIndexRows(pixels: number, width: number, rows: number, out: number): number;
  webpEncode(
    indexes: number,
    width: number,
    height: number,
    palette: number,
    colors: number,
    hasAlpha: boolean,
    sequences: number,
    maxSequences: number,
    out: number,
    capacity: number,
  ): number;

  blendArea(): number;
  blendCoverage(): number;
  blendCoveredRow(count: number, opaque: number, alpha: number): void;
  blendRow(count: number, opaque: number, alpha: number): void;

  boxBlurRows(
    lines: number,
    stride: number,
    rows: number,
    window: number,
    last: number,
    multiplier: number,
    shift: number,
    fraction: number,
    width: number,
    out: number,
  ): void;
  boxBlurColumns(
    addresses: number,
    rows: number,
    window: number,
    last: number,
    multiplier: number,
    shift: number,
    fraction: number,
    width: number,
    sums: number,
    out: number,
  ): void;
  applyColorMatrices(pixels: number, count: number, matrices: number, matrixCount: number): void;
}

/** Records an outline that HarfBuzz draws: the functions `outline…To` are its callbacks (assembly/text/outline.ts). */
export interface OutlineKernels {
  readonly memory: KernelMemory;
  heapStart(): number;
  outlineStart(): void;
  outlineEnd(): number;
  readonly outlineMoveTo: unknown;
  readonly outlineLineTo: unknown;
  readonly outlineQuadTo: unknown;
  readonly outlineCubicTo: unknown;
  readonly outlineClose: unknown;
}
