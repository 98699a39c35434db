// Parsing of asset URLs: the source of each spelling, and the messages for rejected ones.
import t from 'tap';
import { parseAssetUrl } from '../../lib/assets/source.js';
import { RenderError } from '../../lib/errors.js';

const rejection = (url: string, options = {}) => {
  try {
    return `accepted: ${JSON.stringify(parseAssetUrl(url, options))}`;
  } catch (error) {
    return error instanceof RenderError && error.code === 'render_failed' ? error.message : `wrong error ${error}`;
  }
};

t.test('accepts web and data: URLs', async (t) => {
  t.match(parseAssetUrl('http://a.example/b.png?c#d'), { kind: 'web', url: { href: 'http://a.example/b.png?c#d' } });
  t.match(parseAssetUrl('HTTPS://A.example'), { kind: 'web', url: { hostname: 'a.example' } });
  t.match(parseAssetUrl(' ht\ntp://a.example/'), { kind: 'web', url: { hostname: 'a.example' } });
  t.match(parseAssetUrl('http://0x7f.1/'), { kind: 'web', url: { hostname: '127.0.0.1' } });
  t.match(parseAssetUrl('data:image/png;base64,AAAA'), { kind: 'data' });
  t.match(parseAssetUrl('DATA:,x'), { kind: 'data' });
});

// fault: 40
t.test('rejects other URLs with a message that names the allowed schemes', async (t) => {
  for (const scheme of ['file', 'ftp', 'gopher', 'dict', 'blob', 'javascript', 'jar', 'about', 'ws', 'view-source']) {
    t.equal(
      rejection(`${scheme}://127.0.0.1/x`),
      `the scheme ${scheme}: is not supported, expected http:, https: or data:`,
    );
  }
  t.equal(rejection('fi\nle:///etc/passwd'), 'the scheme file: is not supported, expected http:, https: or data:');
  t.equal(rejection('photo.png'), 'received "photo.png", expected an http:, https: or data: URL');
  t.equal(rejection('/etc/passwd'), 'received "/etc/passwd", expected an http:, https: or data: URL');
  t.equal(rejection('//host/x'), 'received "//host/x", expected an http:, https: or data: URL');
  t.equal(rejection(''), 'received "", expected an http:, https: or data: URL');
  t.equal(rejection('http://'), '"http://" is not a valid URL');
  t.equal(rejection('http://a b/'), '"http://a b/" is not a valid URL');
  t.equal(rejection('http://h:99999/'), '"http://h:99999/" is not a valid URL');
  t.equal(rejection('https://user:secret@h/'), 'a URL with a user name or password is not fetched');
  t.equal(rejection('data:image/png'), 'a data: URL needs a comma before its data');
  t.equal(rejection('http://\n'.padEnd(300, ' ')).includes('\n'), false, 'messages have one line');
  t.ok(rejection(`nothing ${'x'.repeat(5000)}`).length < 200, 'long URLs are cut');
});

// fault: 36
t.test('rejects a host that is too long before encoding it', async (t) => {
  const long = '\u4e00'.repeat(5_000_000);
  for (const url of [
    `http://${long}/x.png`,
    `http:${long}`,
    `HTTPS:\\\\\\${long}?x`,
    ` ht\ntp:\t//${long}#x`,
    `http://a:b@${long}/`,
    `http://${'%e4%b8%80'.repeat(1e5)}/`,
    `http://${'a.'.repeat(257)}/`,
    `http://${'\t'.repeat(1000)}${'a'.repeat(513)}`,
  ]) {
    t.match(rejection(url), /names a host of more than 512 characters$/, url.slice(0, 20));
  }
  for (const rest of ['/', '\\', '?', '#']) {
    t.match(parseAssetUrl(`http://a.example${rest}${'x'.repeat(1e6)}`), {
      kind: 'web',
      url: { hostname: 'a.example' },
    });
  }
  t.match(parseAssetUrl(`http://${'\t'.repeat(1000)}a.example`), { kind: 'web', url: { hostname: 'a.example' } });
  t.match(parseAssetUrl(`http:////${'a'.repeat(512)}/`), { kind: 'web' });
});

t.test('accepts an id of an asset where there are assets', async (t) => {
  const options = { hasAssets: true };
  t.same(parseAssetUrl('asset:asset_0f', options), { kind: 'asset', id: 'asset_0f' });
  for (const url of [
    'asset:',
    'asset:x',
    'asset:asset_',
    'asset:asset_../x',
    'asset://asset_0',
    ' asset:asset_0',
    'ASSET:asset_0',
  ])
    t.match(rejection(url, options), /expected asset: and the id of an asset/, url);
  const message = /"asset:asset_0f" is an asset of a workspace: only the service that stores it can render it/;
  for (const elsewhere of [{}, { baseDirectory: '/x' }, { images: new Map() }])
    t.match(rejection('asset:asset_0f', elsewhere), message);
});

t.test('accepts local paths if a base directory is set', async (t) => {
  const options = { baseDirectory: '/payloads/cards' };
  t.same(parseAssetUrl('a/b.png', options), { kind: 'file', path: '/payloads/cards/a/b.png' });
  t.same(parseAssetUrl('../b c.png', options), { kind: 'file', path: '/payloads/b c.png' });
  t.same(parseAssetUrl('/x/b.png', options), { kind: 'file', path: '/x/b.png' });
  t.same(parseAssetUrl('file:///x/b%20c.png', options), { kind: 'file', path: '/x/b c.png' });
  t.match(parseAssetUrl('https://a.example/', options), { kind: 'web' });
  t.match(parseAssetUrl('data:,x', options), { kind: 'data' });
  t.match(rejection('ftp://h/x', options), /the scheme ftp: is not supported, expected http:, https:, data: or a file/);
  t.match(rejection('file://h/%2f', options), /not a valid file: URL/);
  t.match(rejection('', options), /is not a file's path/);
  t.match(rejection('a\0b', options), /is not a file's path/);
});
