// What an application has to answer: the same file that this checkout renders.
import { render } from '../any-payload.js';
import { card } from './apps/card.js';

/** Latin, Chinese, Arabic and an emoji: fonts in several files, with and without compression. */
export const TITLE = 'Hello, 世界 · مرحبا 🎉';

/** The PNG of the card. */
export async function expectedPicture(): Promise<Uint8Array> {
  return (await render(card(TITLE))).bytes;
}

/** Throws if the bytes are not the card's. `place` is where they come from, for messages. */
export async function checkPicture(place: string, bytes: Uint8Array): Promise<void> {
  const expected = await expectedPicture();
  if (Buffer.compare(bytes, expected) === 0) return;
  const isPng = Buffer.from(bytes.subarray(1, 4)).toString() === 'PNG';
  const what = isPng ? `another picture, of ${bytes.length} bytes` : Buffer.from(bytes.subarray(0, 2000)).toString();
  throw new Error(`${place}: expected the card’s PNG of ${expected.length} bytes, received ${what}`);
}

/** Throws if a server does not answer `/card.png?title=…` with the card. */
export async function checkServer({ url, quote }: { readonly url: string; quote(): string }): Promise<void> {
  const response = await fetch(`${url}/card.png?title=${encodeURIComponent(TITLE)}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const type = response.headers.get('content-type');
  if (response.status !== 200 || type !== 'image/png') {
    const text = Buffer.from(bytes.subarray(0, 2000)).toString();
    throw new Error(`${url}/card.png answered ${response.status} ${type}: ${text}\n${quote()}`);
  }
  await checkPicture(`${url}/card.png`, bytes);
}
