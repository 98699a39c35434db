// The queue of thumbnails, with an engine and a screen that do what the test says.
import t, { type Test } from 'tap';
import type { ThumbnailEngine } from '../../web/engine/engine.js';
import type { Thumbnail } from '../../web/engine/messages.js';
import { createThumbnails } from '../../web/engine/thumbnails.js';

type Change = { readonly target: Element; readonly isIntersecting: boolean; readonly intersectionRatio: number };

/** Records what the page's observers were told to watch, and notifies them. */
function screen(t: Test) {
  const observers: { readonly tell: (changes: Change[]) => void; readonly isNear: boolean; watched: Set<Element> }[] =
    [];
  class Observer {
    readonly watched = new Set<Element>();
    constructor(tell: (changes: Change[]) => void, options?: { rootMargin: string }) {
      observers.push({ tell, isNear: options !== undefined, watched: this.watched });
    }
    observe = (element: Element) => void this.watched.add(element);
    unobserve = (element: Element) => void this.watched.delete(element);
    disconnect = () => this.watched.clear();
  }
  const before = Object.getOwnPropertyDescriptor(globalThis, 'IntersectionObserver');
  Object.defineProperty(globalThis, 'IntersectionObserver', { value: Observer, configurable: true });
  t.teardown(() => {
    if (before) Object.defineProperty(globalThis, 'IntersectionObserver', before);
    else Reflect.deleteProperty(globalThis, 'IntersectionObserver');
  });
  /** `ratio`: share on screen; 0 is near it, undefined far away. */
  return (elements: readonly Element[], ratio: number | undefined) => {
    for (const { tell, isNear, watched } of observers) {
      const told = elements.filter((element) => watched.has(element));
      const isIntersecting = isNear ? ratio !== undefined : (ratio ?? 0) > 0;
      tell(told.map((target) => ({ target, isIntersecting, intersectionRatio: ratio ?? 0 })));
    }
  };
}

/** An engine whose drawings end when the test says so. */
function slowEngine() {
  const drawn: string[] = [];
  const ends: ((failure?: Error) => void)[] = [];
  const engine: ThumbnailEngine = {
    draw: ({ source }) =>
      new Promise((resolve, reject) => {
        drawn.push('id' in source ? `${source.id}@${source.version}` : JSON.stringify(source));
        const data = new Uint8ClampedArray(4 * 1024 * 1024);
        const thumbnail: Thumbnail = { data, width: 1024, height: 1024, fullWidth: 1, fullHeight: 1, warnings: [] };
        ends.push((failure) => (failure ? reject(failure) : resolve(thumbnail)));
      }),
    close: () => void drawn.push('closed'),
  };
  const end = async (failure?: Error) => {
    ends.shift()?.(failure);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { engine, drawn, end };
}

const element = () => ({}) as Element;
const request = (id: string, version = 1) => ({ source: { id, version }, maxWidth: 10, maxHeight: 10 });

t.test('draws one after the other: those on screen first, those far away never', async (t) => {
  const show = screen(t);
  const { engine, drawn, end } = slowEngine();
  const thumbnails = createThumbnails(engine);
  const shown: string[] = [];
  const elements = ['a', 'b', 'c', 'd', 'e'].map((id) => {
    const own = element();
    thumbnails.request(own, request(id), { drawn: () => void shown.push(id), failed: t.fail });
    return own;
  });
  t.same(drawn, [], 'nobody has said yet where they are');
  show(elements.slice(0, 3), 0);
  t.same(drawn, ['a@1'], 'near the screen');
  show(elements.slice(3, 4), 0.5);
  await end();
  t.same(drawn, ['a@1', 'd@1'], 'on screen, before those that asked first');
  show(elements.slice(1, 2), undefined);
  await end();
  await end();
  t.same(drawn, ['a@1', 'd@1', 'c@1'], 'b has left, and e never came');
  t.same(shown, ['a', 'd', 'c']);
});

t.test('keeps pictures by version, within its memory', async (t) => {
  const show = screen(t);
  const { engine, drawn, end } = slowEngine();
  const thumbnails = createThumbnails(engine);
  const draw = async (id: string, version?: number) => {
    let isShown = false;
    const own = element();
    thumbnails.request(own, request(id, version), {
      drawn: () => {
        isShown = true;
      },
      failed: t.fail,
    });
    show([own], 1);
    await end();
    t.ok(isShown, `${id}@${version ?? 1}`);
  };
  await draw('a');
  await draw('a');
  t.same(drawn, ['a@1'], 'drawn once');
  await draw('a', 2);
  t.same(drawn, ['a@1', 'a@2'], 'another version is another picture');
  // 4 MiB each
  for (let i = 0; i < 8; i++) await draw(`b${i}`);
  const before = drawn.length;
  await draw('a', 2);
  t.equal(drawn.length, before + 1, 'dropped when others needed the room');
});

t.test('says why a picture failed, and goes on', async (t) => {
  const show = screen(t);
  const { engine, drawn, end } = slowEngine();
  const thumbnails = createThumbnails(engine);
  const told: string[] = [];
  const elements = ['a', 'b'].map((id) => {
    const own = element();
    const listener = { drawn: () => void told.push(id), failed: ({ message }: Error) => void told.push(message) };
    thumbnails.request(own, request(id), listener);
    return own;
  });
  show(elements, 1);
  await end(new Error('no such picture'));
  await end();
  t.same(told, ['no such picture', 'b']);
  t.same(drawn, ['a@1', 'b@1']);
});

t.test('what has left the page is neither drawn nor told; closing ends everything', async (t) => {
  const show = screen(t);
  const { engine, drawn, end } = slowEngine();
  const thumbnails = createThumbnails(engine);
  const told: string[] = [];
  const listen = (id: string) => ({ drawn: () => void told.push(id), failed: () => void told.push(id) });
  const elements = ['a', 'b', 'c'].map(element);
  const stops = elements.map((own, i) => thumbnails.request(own, request('abc'[i]!), listen('abc'[i]!)));
  show(elements, 1);
  stops[0]?.();
  stops[1]?.();
  await end();
  t.same(drawn, ['a@1', 'c@1'], 'a was being drawn, b is not any more');
  thumbnails.close();
  await end();
  t.same(told, ['c']);
  t.same(drawn, ['a@1', 'c@1', 'closed']);
});
