// One workspace sends 50 dear requests at once, of one kind after the other; another asks for a card each second. Reports how
// much later the cards come than alone. Cards are never cached.
import { createClient } from './client.mjs';
import { countValues, quantile, random } from './figures.mjs';
import { card } from './payloads.mjs';

const AT_ONCE = 50;
/** Bodies of a kind, made before they are sent: this process also measures the cards. */
const BODIES = 20;
/** The first cards of a server take longer. */
const WARMUP_CARDS = 20;
const SETTLE_MS = 2000;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const svg = (content) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" ${content}</svg>`)}`;
const kernel = Array(100).fill('1').join(' ');
const image = (url) => ({ type: 'image', x: 0, y: 0, width: 1200, height: 630, url });

/** Requests of the greedy workspace; `next` makes each request a new one. */
const KINDS = {
  cards: (next) => card(next),
  avif: (next) => ({
    canvas: { width: 2400, height: 1600, backgroundColor: '#123456' },
    layers: [{ type: 'text', x: 0, y: 0, width: 2400, height: 1600, fontSize: 90, text: `${next()} `.repeat(200) }],
    format: 'avif',
    quality: 95,
  }),
  text: (next) => ({
    canvas: { width: 1200, height: 630 },
    layers: [
      {
        type: 'text',
        x: 0,
        y: 0,
        width: 1200,
        height: 630,
        fontSize: 60,
        minFontSize: 1,
        autoFit: true,
        text: `${next()} several words of text `.repeat(8000),
      },
    ],
  }),
  emoji: (next) => ({
    canvas: { width: 1200, height: 630 },
    layers: [
      { type: 'text', x: 0, y: 0, width: 1200, height: 630, fontSize: 20, text: `${next()}${'👩‍👩‍👧‍👦'.repeat(9000)}` },
    ],
  }),
  svg: (next) => ({
    canvas: { width: 1200, height: 630 },
    layers: [
      image(
        svg(
          `width="1200" height="630"><filter id="f"><feConvolveMatrix order="10" kernelMatrix="${kernel}"/></filter>` +
            `<rect width="${1000 + Math.floor(next() * 200)}" height="600" filter="url(#f)"/>`,
        ),
      ),
    ],
  }),
  large: (next) => ({
    canvas: { width: 6000, height: 5000, backgroundColor: `rgb(${Math.floor(next() * 255)}, 9, 9)` },
    layers: Array.from({ length: 12 }, (_, i) => ({
      type: 'shape',
      shapeType: 'circle',
      x: i * 300,
      y: i * 200,
      width: 3000,
      height: 3000,
      fillColor: '#ff8800',
      opacity: 0.5,
      shadow: { blur: 200, color: '#000' },
    })),
  }),
  failing: (next) => ({
    canvas: { width: 1200, height: 630 },
    layers: [
      { type: 'text', x: 0, y: 0, width: 1200, height: 630, fontSize: 20, text: `a\u05d0 ${next()}`.repeat(60_000) },
      { type: 'qrcode', x: 0, y: 0, width: 9, height: 9, data: 'x'.repeat(9000) },
    ],
  }),
};

export async function neighbour({ server, seconds, seed }) {
  const next = random(seed);
  const greedy = createClient(server);
  const { id } = await server.admin(
    'workspaces',
    'create',
    '--name',
    'modest',
    '--plan',
    'paid',
    '--credits',
    '1000000',
  );
  const { key } = await server.admin('keys', 'create', '--workspace', id, '--name', 'modest');
  const modest = createClient({ ...server, key });
  for (let i = 0; i < WARMUP_CARDS; i++) await Promise.all([greedy.send(card(next)), modest.send(card(next))]);

  /** Asks for a card every second, whether or not earlier ones have arrived. */
  async function cards(onSecond = () => {}) {
    const startedAt = performance.now();
    const sent = [];
    for (let second = 0; second < seconds; second++) {
      await sleep(startedAt + second * 1000 - performance.now());
      onSecond();
      sent.push(modest.send(card(next)));
    }
    return await Promise.all(sent);
  }

  async function beside(kind) {
    const statuses = [];
    let isOver = false;
    const keep = async () => {
      while (!isOver) {
        const { status } = await greedy.send(bodies[count++ % BODIES]);
        statuses.push(status);
        // a refusal says when to come again; this client comes sooner
        if (status !== 200) await sleep(100);
      }
    };
    const bodies = Array.from({ length: BODIES }, () => Buffer.from(JSON.stringify(KINDS[kind](next))));
    let count = 0;
    const attack = Array.from({ length: AT_ONCE }, keep);
    await sleep(SETTLE_MS);
    const replies = await cards();
    isOver = true;
    await Promise.all(attack);
    return { replies, statuses };
  }

  const alone = [...(await cards())];
  const results = {};
  for (const kind of Object.keys(KINDS)) {
    results[kind] = await beside(kind);
    await sleep(SETTLE_MS);
    // the machine may have become slower
    alone.push(...(await cards()));
  }
  greedy.close();
  modest.close();

  const rounded = (value) => Math.round(value * 100) / 100;
  const times = (replies) => replies.map(({ ms }) => ms);
  const base = { p50: quantile(times(alone), 0.5), p99: quantile(times(alone), 0.99) };
  const report = ({ replies, statuses }) => ({
    served: rounded(replies.filter(({ status }) => status === 200).length / replies.length),
    p50: rounded(quantile(times(replies), 0.5)),
    p99: rounded(quantile(times(replies), 0.99)),
    p50Ratio: rounded(quantile(times(replies), 0.5) / base.p50),
    p99Ratio: rounded(quantile(times(replies), 0.99) / base.p99),
    greedy: countValues(statuses),
  });
  return {
    alone: { cards: alone.length, p50: rounded(base.p50), p99: rounded(base.p99) },
    ...Object.fromEntries(Object.entries(results).map(([kind, result]) => [kind, report(result)])),
  };
}
