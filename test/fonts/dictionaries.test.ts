// Loading dictionaries: only those that a text needs, once, and never without saying so when one is missing.
import t from 'tap';
import { inflate } from '../../lib/bytes/inflate.js';
import { loadDictionaries } from '../../lib/fonts/dictionaries.js';
import { createFontRegistry } from '../../lib/fonts/registry.js';
import { host, setHost } from '../../lib/host.js';
import { DICTIONARY_SCRIPTS, hasDictionary } from '../../lib/text/dictionary-breaks.js';
import { render } from '../any-payload.js';

const files = host();
const read: string[] = [];

/** Answers the reading of font files, and notes their paths. */
function serve(answer: (path: string) => Promise<Uint8Array>): void {
  read.length = 0;
  setHost({
    ...files,
    readFontFile: (path) => {
      read.push(path);
      return answer(path);
    },
  });
}

const payloadOf = (text: string) => ({
  canvas: { width: 60, height: 60 },
  layers: [{ type: 'text', text, x: 0, y: 0, width: 60, height: 60, fontSize: 12, fontFamily: 'Noto Sans Thai' }],
});

t.test('unpacks the same where the host has no zlib', async (t) => {
  t.teardown(() => setHost(files));
  const packed = await Promise.all(
    DICTIONARY_SCRIPTS.map((script) => files.readFontFile(`dictionaries/${script}.bin`)),
  );
  const natively = packed.map((file) => inflate(file, 2 ** 20));
  const { zlib, ...portable } = files;
  t.ok(zlib);
  setHost(portable);
  packed.forEach((file, i) => {
    t.ok(Buffer.from(inflate(file, 2 ** 20)).equals(natively[i]), DICTIONARY_SCRIPTS[i]);
  });
});

t.test('a render without its dictionary fails, and the next one tries again', async (t) => {
  serve(async (path) => {
    if (path.startsWith('dictionaries/')) throw new Error(`${path} is missing`);
    return files.readFontFile(path);
  });
  await t.rejects(render(payloadOf('ภาษาไทยไม่มีช่องว่าง')), { message: /dictionaries\/thai\.bin is missing/ });
  t.notOk(hasDictionary('thai'));
  serve(async () => new Uint8Array(100));
  await t.rejects(loadDictionaries('ไทย'), {
    code: 'asset_failed',
    message: 'fonts/dictionaries/thai.bin of the package is damaged: install it again',
  });
  t.notOk(hasDictionary('thai'));
  serve(files.readFontFile);
  t.ok((await render(payloadOf('ภาษาไทยไม่มีช่องว่าง'))).bytes.length > 0);
  t.same(
    read.filter((path) => path.startsWith('dictionaries/')),
    ['dictionaries/thai.bin'],
  );
});

t.test('reads what a text needs, once', async (t) => {
  serve(files.readFontFile);
  await loadDictionaries('Text, العربية, 日本語, हिन्दी, ๑๒๓ ๚ ၁၂ ៥ ໕');
  t.same(read, [], 'none for other scripts, digits and punctuation');
  await Promise.all([loadDictionaries('ພາສາ ไทย'), loadDictionaries('ລາວ')]);
  await loadDictionaries('ລາວ');
  t.same(read, ['dictionaries/lao.bin']);
  const request = { fontFamily: 'Inter', fontWeight: 400, fontStyle: 'normal' } as const;
  await createFontRegistry().resolveStack(request, 'ខ្មែរ မြန်မာ', async () => new Uint8Array());
  t.same(read.filter((path) => path.startsWith('dictionaries/')).slice(1), [
    'dictionaries/khmer.bin',
    'dictionaries/burmese.bin',
  ]);
});
