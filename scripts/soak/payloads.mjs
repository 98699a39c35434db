// Random requests: every format, text in many scripts, images, remote fonts, QR codes and shapes; very large and invalid
// ones.
const TEXTS = [
  'The quick brown fox',
  'Grüße aus Köln',
  'Привет, мир',
  'مرحبا بالعالم',
  'नमस्ते दुनिया',
  'こんにちは世界',
  '🎉 Party 🎈',
];
const FAMILIES = ['Inter', 'Lora', 'Anton', 'Roboto', 'Playfair Display', 'No Such Family'];
/** Formats; one in sixteen is AVIF, which takes ten times as long as the others. */
const FORMATS = [
  'png',
  'png',
  'png',
  'png',
  'png',
  'png',
  'png',
  'jpeg',
  'jpeg',
  'jpeg',
  'jpeg',
  'webp',
  'webp',
  'webp',
  'webp',
  'avif',
];

/** A request whose image never changes. Its `id` does, so the image is not cached. */
export function control(number) {
  const text = {
    type: 'text',
    id: String(number),
    x: 20,
    y: 20,
    width: 360,
    height: 160,
    text: 'Control ✓',
    fontSize: 48,
  };
  const shape = { type: 'shape', shapeType: 'circle', x: 300, y: 100, width: 80, height: 80, fillColor: '#e11d48' };
  return {
    canvas: { width: 400, height: 200, backgroundColor: '#fff' },
    layers: [{ ...text, shadow: { blur: 4 } }, shape],
  };
}

/** A text card: requests of equal cost, for comparable latencies. */
export function card(next) {
  const layers = [{ type: 'text', x: 60, y: 60, width: 1080, height: 300, text: `Card ${next()}`, fontSize: 96 }];
  return { canvas: { width: 1200, height: 630, backgroundColor: '#0f172a' }, layers };
}

/** A canvas of 256 MiB, which occupies a render process for seconds. */
export function giant(next) {
  const layers = [
    {
      type: 'shape',
      id: `${next()}`,
      shapeType: 'rectangle',
      x: 9,
      y: 9,
      width: 4000,
      height: 4000,
      fillColor: '#2563eb',
    },
  ];
  return {
    canvas: { width: 8192, height: 8192 },
    layers,
  };
}

/** A random request. `host` is the origin's. */
export function mixed(next, host) {
  const below = (limit) => Math.floor(next() * limit);
  const of = (list) => list[below(list.length)];
  const box = () => ({ x: below(300), y: below(200), width: 80 + below(400), height: 60 + below(300) });
  const url = (kind) => `http://${host}/${kind}/${below(100)}`;
  const kinds = [
    () => ({
      type: 'text',
      ...box(),
      text: `${of(TEXTS)} ${below(1000)}`,
      fontFamily: of(FAMILIES),
      fontSize: 12 + below(60),
    }),
    () => ({ type: 'text', ...box(), text: of(TEXTS), autoFit: true, fontSize: 80, shadow: { blur: below(20) } }),
    () => ({ type: 'text', ...box(), text: of(TEXTS), customFontUrl: url('font') }),
    () => ({
      type: 'image',
      ...box(),
      url: url('picture'),
      mask: of(['none', 'circle', 'rounded']),
      rotation: of([0, 0, 12]),
    }),
    () => ({
      type: 'image',
      ...box(),
      url: url(of(['picture', 'late', 'cut', 'reset', 'missing'])),
      fallbackColor: '#94a3b8',
    }),
    () => ({ type: 'qrcode', ...box(), data: `https://example.com/${below(1e9)}` }),
    () => ({
      type: 'shape',
      ...box(),
      shapeType: of(['circle', 'pill', 'rounded_rectangle']),
      fillColor: '#16a34a',
      opacity: 0.2 + next() * 0.8,
    }),
  ];
  const layers = Array.from({ length: 1 + below(5) }, () => of(kinds)());
  const scale = next() < 0.1 ? 1 : 0.4;
  return {
    canvas: {
      width: 100 + below(scale * 1100),
      height: 100 + below(scale * 700),
      backgroundColor: of(['#fff', '#0f172a', 'transparent']),
    },
    layers,
    format: of(FORMATS),
    quality: 40 + below(60),
    responseType: of(['binary', 'binary', 'binary', 'json']),
    metadata: { number: below(1e9) },
  };
}

/** The body of a request that is rejected or fails. */
export function invalid(next, host) {
  const at = { x: 0, y: 0, width: 50, height: 50 };
  const bodyWith = (layer) => JSON.stringify({ canvas: { width: 100, height: 100 }, layers: [layer] });
  const rows = [
    () => '{"canvas":',
    () => JSON.stringify({ canvas: { width: 0, height: 10 }, layers: [] }),
    () => JSON.stringify({ templateId: 'missing' }),
    () => bodyWith({ type: 'nope', ...at }),
    () => bodyWith({ type: 'image', ...at, url: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ' }),
    () => bodyWith({ type: 'image', ...at, url: `http://${host}/missing/1` }),
    () => bodyWith({ type: 'image', ...at, url: 'http://10.0.0.1/' }),
    () => bodyWith({ type: 'text', ...at, text: 'a', customFontUrl: `http://${host}/cut/1` }),
  ];
  return rows[Math.floor(next() * rows.length)]();
}
