// Assets over a real socket, with render processes: uploads, renders that name them, and clients that leave.
import t from 'tap';
import { createRawKey, hashKey } from '../../lib/store/api-keys.js';
import { makeCheckout } from '../checkout.js';
import { fixture } from '../codecs/pictures.js';
import { brandFont } from '../fonts/brand-font.js';
import { raw } from './socket.js';
import { startWhole } from './whole.js';

const checkout = t.testdir();
makeCheckout(checkout);
const PICTURE = fixture('quadrants-420.jpg');
const canvas = { width: 48, height: 32 };
const BOX = { x: 0, y: 0, ...canvas };

t.test('a picture and a font are uploaded and drawn, and what is not whole is not stored', async (t) => {
  const whole = await startWhole(t, { RENDER_WORKERS: '1' }, checkout);
  const { id: workspaceId } = await whole.store.createWorkspace({ name: 'W', plan: 'paid', credits: 100 });
  const key = createRawKey();
  const scopes = ['render:write', 'templates:read', 'templates:write'] as const;
  await whole.store.createKey({ workspaceId, name: 'k', scopes, hash: hashKey(key) });
  const Authorization = `Bearer ${key}`;
  const upload = async (body: Uint8Array) => {
    const answer = await fetch(`${whole.url}/v1/assets`, {
      method: 'POST',
      headers: { Authorization },
      body: new Uint8Array(body),
    });
    return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
  };
  const stored = async () => {
    const answer = await fetch(`${whole.url}/v1/assets`, { headers: { Authorization } });
    return ((await answer.json()) as { items: unknown[] }).items.length;
  };

  // a client that leaves in the middle of its file
  const { port } = new URL(whole.url);
  const leaver = raw(t, Number(port));
  leaver.send(
    `POST /v1/assets HTTP/1.1\r\nHost: test\r\nAuthorization: ${Authorization}\r\nContent-Length: ${PICTURE.length}\r\n\r\n`,
  );
  leaver.send(PICTURE.subarray(0, 300));
  leaver.socket.destroy();
  t.match(await upload(PICTURE.subarray(0, 300)), { status: 400, json: { code: 'invalid_request' } });
  t.equal(await stored(), 0);

  const picture = await upload(PICTURE);
  t.match(picture, { status: 201, json: { kind: 'image', width: 48, height: 32 } });
  t.match(await upload(brandFont()), { status: 201, json: { kind: 'font', family: 'Brand' } });
  t.equal(await stored(), 2);

  const draw = async (layer: object) => {
    const answer = await whole.post(key, { canvas, layers: [{ ...BOX, ...layer }], responseType: 'json' });
    const { base64, warnings } = (await answer.json()) as { base64: string; warnings?: unknown };
    return { status: answer.status, base64, warnings };
  };
  const inline = (bytes: Uint8Array) => `data:;base64,${Buffer.from(bytes).toString('base64')}`;
  const drawn = await draw({ type: 'image', url: `asset:${picture.json.id}` });
  t.same(drawn, { ...(await draw({ type: 'image', url: inline(PICTURE) })), status: 200, warnings: undefined });
  const text = { type: 'text', text: 'Brand', fontSize: 14 };
  const named = await draw({ ...text, fontFamily: 'Brand' });
  t.same(named, { ...(await draw({ ...text, customFontUrl: inline(brandFont()) })), status: 200, warnings: undefined });
});
