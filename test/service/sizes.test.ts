// `size` of POST /v1/render: one of the template's sizes.
import t from 'tap';
import { saveTemplate } from './stores.js';
import { createWorld } from './world.js';

t.test('a size is asked of the engine; an unknown one is 400 and costs nothing', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller({ credits: 1 });
  const record = { name: 'T', width: 8, height: 4, sizes: { story: { width: 4, height: 8 } } };
  const templateId = await saveTemplate(world.store, caller.workspaceId, record);
  const ask = (size: unknown) => world.ask({ key: caller.key, body: { templateId, size } });
  for (const size of ['stroy', '__proto__']) {
    const { status, json } = await ask(size);
    t.equal(status, 400);
    t.match(json.error, /^size: received .*, expected one of "story"/);
    t.match(json.details, [{ path: 'size' }]);
  }
  t.equal((await ask('')).status, 400);
  t.equal((await ask(5)).status, 400);
  t.equal(world.engine.asked.length, 0);
  t.equal(await world.balance(caller), 1);
  t.equal((await ask('story')).status, 200);
  t.match(world.engine.asked, [{ request: { size: 'story' } }]);
  // the name is checked before the credits
  t.equal((await ask('x')).status, 400);
  t.equal((await ask('story')).status, 402);
});

t.test('an unknown theme is 400 and costs nothing, as is an unknown size', async (t) => {
  const world = await createWorld(t);
  const caller = await world.caller({ credits: 1 });
  const record = { name: 'T', width: 8, height: 4, themes: { dark: { ink: '#ffffff' } } };
  const templateId = await saveTemplate(world.store, caller.workspaceId, record);
  const ask = (theme: unknown) => world.ask({ key: caller.key, body: { templateId, theme } });
  for (const theme of ['drak', '__proto__']) {
    const { status, json } = await ask(theme);
    t.equal(status, 400);
    t.match(json.error, /^theme: received .*, expected "dark"|one of "dark"/);
    t.match(json.details, [{ path: 'theme' }]);
  }
  t.equal(world.engine.asked.length, 0);
  t.equal((await ask('dark')).status, 200);
  t.equal(await world.balance(caller), 0);
});
