// Names of the pictures of a batch.
import fc from 'fast-check';
import t from 'tap';
import { fileNames, safeName } from '../../lib/batch/file-names.js';

const png = (name?: string) => ({ name, format: 'png' as const });

t.test('names are safe, and unique whatever the case', async (t) => {
  const names = fileNames([
    png('a/b'),
    png('A\\B'),
    png(),
    png('.hidden'),
    png('x. '),
    png('é'),
    png('e\u0301'),
    png('3'),
  ]);
  t.same(names, ['a-b.png', 'A-B-2.png', '3.png', '-hidden.png', 'x.png', 'é.png', 'é-2.png', '3-2.png']);
  t.same(
    fileNames([
      { name: 'a.JPEG', format: 'jpeg' },
      { name: 'a.png', format: 'jpeg' },
    ]),
    ['a.jpg', 'a.png.jpg'],
  );
});

t.test('any texts make names that file systems take', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.string({ unit: 'binary', maxLength: 255 }), { nil: undefined }), { maxLength: 40 }),
        (all) => {
          const names = fileNames(all.map(png));
          const keys = new Set(names.map((name) => name.toLowerCase()));
          return (
            keys.size === all.length &&
            names.every(
              (name) => Buffer.byteLength(name) <= 255 && !/[/\\<>:"|?*\0]|^\./.test(name) && name === safeName(name),
            )
          );
        },
      ),
    ),
  );
});
