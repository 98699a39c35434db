// Components wait for the picture of a change, but not long.
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { awaitPicture, typeWithPicture, withPicture } from '../../web/app/rendering.js';

t.test('a change comes in a microtask', async (t) => {
  const done: string[] = [];
  withPicture(() => done.push('change'));
  awaitPicture(new Promise(() => {}));
  t.same(done, []);
  await Promise.resolve();
  t.same(done, ['change'], 'only typing awaits pictures');
});

t.test('a change comes with the picture, also one that can’t be drawn', async (t) => {
  for (const end of ['succeed', 'fail'] as const) {
    const done: string[] = [];
    let settle = { succeed() {}, fail(_error: Error) {} };
    const shown = new Promise<void>((succeed, fail) => (settle = { succeed, fail }));
    // whichever comes first
    withPicture(() => done.push('change'));
    typeWithPicture(() => awaitPicture(shown));
    await turn();
    t.same(done, []);
    settle[end](new Error('no'));
    await turn();
    t.same(done, ['change']);
    withPicture(() => done.push('next'));
    await Promise.resolve();
    t.same(done, ['change', 'next']);
  }
});

t.test('a change does not wait for a picture that takes long', async (t) => {
  typeWithPicture(() => awaitPicture(new Promise(() => {})));
  await new Promise<void>((resolve) => withPicture(resolve));
  t.pass();
});
