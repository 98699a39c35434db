// The fields of layers that name pictures and fonts.
import t from 'tap';
import { assetReferences, withAssetUrls } from '../../../lib/contract/layers/asset-references.js';

t.test('lists the pictures and fonts of a layer by field', (t) => {
  t.same(assetReferences({ type: 'image', url: 'a.png', maskImage: { url: 'm.png' } }), [
    { field: 'url', url: 'a.png', kind: 'image' },
    { field: 'maskImage.url', url: 'm.png', kind: 'image' },
  ]);
  t.same(assetReferences({ type: 'text', customFontUrl: 'f.ttf', url: 'no field of texts' }), [
    { field: 'customFontUrl', url: 'f.ttf', kind: 'font' },
  ]);
  t.same(assetReferences({ type: 'qrcode', data: 'x', logo: { url: 'l.svg', size: 0.2 } }), [
    { field: 'logo.url', url: 'l.svg', kind: 'image' },
  ]);
  t.same(assetReferences({ type: 'text', spans: [{ text: 'a' }, { text: 'b', customFontUrl: 'f.ttf' }, 7] }), [
    { field: 'spans[1].customFontUrl', url: 'f.ttf', kind: 'font' },
  ]);
  t.same(assetReferences({ type: 'text', spans: 'none' }), []);
  t.same(assetReferences({ type: 'text', markupStyles: { strong: { customFontUrl: 'f.ttf' }, em: null } }), [
    { field: 'markupStyles.strong.customFontUrl', url: 'f.ttf', kind: 'font' },
  ]);
  t.same(assetReferences({ type: 'shape', logo: { url: 'no field of shapes' } }), []);
  t.end();
});

t.test('ignores values that are no URLs, in layers that need not be valid', (t) => {
  for (const layer of [{}, { type: 'image' }, { type: 'image', url: 7 }, { maskImage: 'linear-gradient(red, blue)' }]) {
    t.same(assetReferences(layer), []);
    t.equal(
      withAssetUrls(layer, () => 'new'),
      layer,
    );
  }
  t.same(assetReferences({ type: 'qrcode', logo: null, maskImage: [{ url: 'a' }] }), []);
  t.end();
});

t.test('replaces the URLs of a layer and leaves the layer itself unchanged', (t) => {
  const layer = { type: 'image', url: 'a.png', x: 1, maskImage: { url: 'm.png', fit: 'cover' } };
  const before = structuredClone(layer);
  t.same(
    withAssetUrls(layer, (url) => `asset:${url}`),
    { type: 'image', url: 'asset:a.png', x: 1, maskImage: { url: 'asset:m.png', fit: 'cover' } },
  );
  t.same(layer, before);
  t.end();
});

t.test('replaces the URLs in a list and in the members of an object', (t) => {
  const layer = { type: 'text', spans: [{ text: 'a' }, { text: 'b', customFontUrl: 'f.ttf' }] };
  t.same(
    withAssetUrls(layer, (url) => `new ${url}`),
    { type: 'text', spans: [{ text: 'a' }, { text: 'b', customFontUrl: 'new f.ttf' }] },
  );
  const marked = { type: 'text', markupStyles: { em: {}, strong: { customFontUrl: 'f.ttf' } } };
  t.same(
    withAssetUrls(marked, (url) => `new ${url}`),
    { type: 'text', markupStyles: { em: {}, strong: { customFontUrl: 'new f.ttf' } } },
  );
  const plain = { type: 'text', spans: [{ text: 'a' }], markupStyles: { em: {} } };
  t.equal(
    withAssetUrls(plain, () => 'new'),
    plain,
  );
  t.end();
});
