// Renders don't affect each other: fifty payloads in shuffled orders through one renderer give the images
// that each gives alone.
import t from 'tap';
import { createRenderer } from './any-payload.js';
import { dice, rounds } from './exhaustive.js';

const TEXTS = [
  'Hello, AVATo',
  'قالب جميل',
  'שלום עולם',
  'नमस्ते',
  'สวัสดีครับ',
  '日本語の文',
  '你好',
  '안녕',
  '🚀 ❤️ 👩‍💻',
  'Ünïcödé → ∑',
];
const FACES = [
  { fontFamily: 'Inter', fontSize: 22 },
  { fontFamily: 'Pacifico', fontSize: 31.5, stroke: { width: 2, color: '#e11d48' } },
  { fontFamily: 'Playfair Display', fontStyle: 'italic', fontSize: 27, letterSpacing: 3 },
  { fontFamily: 'JetBrains Mono', fontWeight: 'bold', fontSize: 18, rotation: 7, opacity: 0.5 },
  { fontFamily: 'Roboto', fontSize: 40, autoFit: true, shadow: { blur: 6 } },
];

const payloads = TEXTS.flatMap((text, i) =>
  FACES.map((face, j) => ({
    canvas: { width: 180, height: 60, backgroundColor: j % 2 ? 'transparent' : '#f1f5f9' },
    layers: [
      {
        type: 'shape',
        shapeType: 'pill',
        x: 4 + i,
        y: 5,
        width: 60,
        height: 30,
        fillColor: '#38bdf8',
        shadow: { blur: j },
      },
      {
        type: 'text',
        text,
        x: 10,
        y: 8,
        width: 160,
        height: 44,
        color: i % 2 ? '#0f172a' : 'rgba(190, 18, 60, 0.7)',
        ...face,
      },
    ],
  })),
);

function shuffled(count: number, random: () => number): number[] {
  const order = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

t.test('rendering order never changes an image', async (t) => {
  const bytesOf = async (renderer: ReturnType<typeof createRenderer>, i: number) =>
    Buffer.from((await renderer.render(payloads[i])).bytes).toString('base64');
  const alone: string[] = [];
  for (let i = 0; i < payloads.length; i++) alone.push(await bytesOf(createRenderer(), i));
  t.equal(new Set(alone).size, payloads.length, 'no two are alike');
  const shared = createRenderer();
  for (const seed of rounds(2)) {
    const changed: number[] = [];
    for (const i of shuffled(payloads.length, dice(seed))) if ((await bytesOf(shared, i)) !== alone[i]) changed.push(i);
    t.same(changed, [], `order ${seed}`);
  }
});
