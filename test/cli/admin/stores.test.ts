// The admin commands on every store: a data folder without a server, the folder of a running server, and a database.
import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { main } from '../../../lib/cli/main.js';
import { hashKey } from '../../../lib/store/api-keys.js';
import { openEmbeddedStore } from '../../../lib/store/embedded/store.js';
import { serveStore } from '../../../lib/store/open.js';
import { openPostgresStore } from '../../../lib/store/postgres/store.js';
import type { Store } from '../../../lib/store/types.js';
import { fixture } from '../../codecs/pictures.js';
import { brandFont } from '../../fonts/brand-font.js';
import { skipped, startCluster } from '../../store/postgres/server.js';
import { entryOf, holdOf } from '../../store/suite.js';
import { createTestContext } from '../context.js';

const cluster = skipped ? undefined : await startCluster();
t.teardown(() => cluster?.remove());

const quiet = { warn: () => undefined };

const panel = { type: 'shape', shapeType: 'rectangle', x: 0, y: 0, width: 10, height: 10, fillColor: '#0000ff' };
const title = { key: 'title', label: 'Title', type: 'text', x: 0, y: 0, width: 10, height: 10, autoFit: true };
const card = {
  ...{ name: 'Card', width: 20, height: 10, background: { color: 'white' } },
  ...{ layers: [panel], hotspots: [title] },
};
const moved = { ...card, name: 'Moved', layers: [{ ...panel, x: 5 }] };
const photo = Buffer.from(fixture('quadrants-420.jpg'));
const files = {
  'photo.jpg': photo,
  'brand.ttf': Buffer.from(brandFont()),
  'card.json': JSON.stringify(card),
  'moved.json': JSON.stringify(moved),
  'bad.json': JSON.stringify({ ...card, width: 0, layers: [{ ...panel, x: 'left' }] }),
};

/** A directory with files, whose commands use one of the stores. */
interface Place {
  readonly directory: string;
  readonly environment: Record<string, string>;
  /** Does something that only a server does. */
  withStore<Result>(work: (store: Store) => Promise<Result>): Promise<Result>;
}

const places: Record<string, (t: Test) => Promise<Place>> = {
  async 'a data folder'(t) {
    const directory = t.testdir(files);
    const withStore: Place['withStore'] = async (work) => {
      const store = await openEmbeddedStore(join(directory, 'data'), quiet);
      return await work(store).finally(() => store.close());
    };
    return { directory, environment: {}, withStore };
  },
  async 'the folder of a running server'(t) {
    const directory = t.testdir(files);
    const store = await serveStore(join(directory, 'data'), quiet);
    t.teardown(() => store.close());
    return { directory, environment: {}, withStore: (work) => work(store) };
  },
  async 'a database'(t) {
    const directory = t.testdir(files);
    const url = cluster!.url(await cluster!.create());
    const store = await openPostgresStore(url, quiet);
    t.teardown(() => store.close());
    return { directory, environment: { STORE_URL: url }, withStore: (work) => work(store) };
  },
};

type Setup = Omit<Parameters<typeof createTestContext>[0], 'directory' | 'environment'>;

/** Runs commands at a place. */
function commandsOf({ directory, environment }: Place) {
  const run = async (words: string | readonly string[], setup: Setup = {}) => {
    const cli = createTestContext({ directory, environment, ...setup });
    const code = await main(typeof words === 'string' ? words.split(' ') : words, cli.context);
    return { code, output: cli.output().toString(), errors: cli.errors() };
  };
  /** Expects success and parses the JSON. */
  const ask = async (words: string | readonly string[]) => {
    const { code, output, errors } = await run(words);
    if (code !== 0 || errors !== '') throw new Error(`${words}: ${code} ${errors}`);
    return JSON.parse(output);
  };
  /** Expects one line on standard error. */
  const fail = async (t: Test, words: string, message: RegExp, wanted = 1) => {
    const { code, output, errors } = await run(words);
    t.equal(code, wanted, words);
    t.equal(output, '', words);
    t.match(errors, /^error: [^\n]+\n$/, words);
    t.match(errors, message, words);
  };
  return { run, ask, fail };
}

for (const [name, open] of Object.entries(places)) {
  const skip = { skip: name === 'a database' && skipped };

  t.test(`${name}: versions of a template`, skip, async (t) => {
    const place = await open(t);
    const { run, ask, fail } = commandsOf(place);
    const { id: workspace } = await ask('workspaces create --name w');
    const draft = await ask(`templates import card.json --workspace ${workspace} --draft`);
    const { id } = draft;
    t.match(draft, { version: 1, publishedVersion: null, name: 'Card', hotspots: [{ key: 'title' }] });
    t.match(
      (await run('templates list', { isTTY: true })).output,
      / version +publishedVersion +updatedAt\n.* 1 +none /,
    );
    t.equal(await place.withStore((store) => store.findTemplate(workspace, id)), undefined, 'a draft is not rendered');

    t.match(await ask(`templates publish ${id} 1`), { version: 1, publishedVersion: 1 });
    t.match(await ask(`templates update ${id} moved.json --draft`), { version: 2, publishedVersion: 1, name: 'Moved' });
    t.match(await place.withStore((store) => store.findTemplate(workspace, id)), { version: 1, record: card });
    t.match(await ask(`templates update ${id} moved.json`), { version: 3, publishedVersion: 3 });
    t.match(await ask(`templates restore ${id} 1 --draft`), { version: 4, publishedVersion: 3, name: 'Card' });
    const restored = await ask(`templates restore ${id} 1`);
    t.match(restored, { version: 5, publishedVersion: 5 });
    t.strictSame(await ask('templates list'), [restored]);
    t.strictSame(await ask(`templates show ${id}`), restored);

    const versions: { version: number; createdAt: string }[] = await ask(`templates versions ${id}`);
    t.same(
      versions.map(({ version }) => version),
      [5, 4, 3, 2, 1],
    );
    t.same(Object.keys(versions[0]).sort(), ['createdAt', 'height', 'hotspots', 'name', 'version', 'width']);
    const { output } = await run(`templates versions ${id}`, { isTTY: true });
    t.match(output, /^version +published +name .*\n5 +yes +Card .*\n4 +Card .*\n3 +Moved /);

    const { workspaceId, hotspots } = restored;
    t.strictSame(await ask(`templates show ${id}@2`), {
      ...{ id, workspaceId, name: 'Moved', width: 20, height: 10, hotspots },
      ...{ version: 2, publishedVersion: 5, createdAt: versions[3].createdAt },
    });
    t.strictSame(await ask(`templates export ${id}@2`), moved);
    t.strictSame(await ask(`templates export ${id}`), card);

    t.strictSame(await ask(`templates lint ${id}@2`), []);
    t.strictSame(await ask(`templates diff ${id}@1 ${id}@5`), { fields: [] });
    const { fields, pixels } = await ask(`templates diff ${id}@1 ${id}@2 -o out.png`);
    t.match(fields, [{ path: 'name' }, { path: 'layers[0].x', before: 0, after: 5 }]);
    t.match(pixels, { differing: 100, total: 200 });
    t.ok(existsSync(join(place.directory, 'out.png')));

    for (const words of ['show ID@9', 'export ID@9', 'publish ID 9', 'restore ID 9', 'lint ID@9', 'diff ID ID@9']) {
      await fail(t, `templates ${words.replaceAll('ID', id)}`, /template "tpl_\w+" has no version 9/);
    }
    const bad = await run(`templates update ${id} bad.json`);
    t.match(bad, { code: 1, output: '', errors: /^error: width: .*\nerror: layers\[0\]\.x: .*\n$/ });
    t.match(await ask(`templates show ${id}`), { version: 5 }, 'an invalid template changes nothing');

    t.match(await ask(`templates delete ${id}`), { id, version: 5 });
    for (const verb of ['versions ID', 'show ID@1', 'publish ID 1', 'update ID card.json', 'lint ID']) {
      await fail(t, `templates ${verb.replace('ID', id)}`, /there is no template "tpl_\w+"/);
    }
  });

  t.test(`${name}: changing and deleting workspaces`, skip, async (t) => {
    const place = await open(t);
    const { run, ask, fail } = commandsOf(place);
    const { id } = await ask(['workspaces', 'create', '--name', 'My shop', '--credits', '9']);
    const other = await ask('workspaces create --name other');
    t.strictSame(await ask(`workspaces update ${id} --plan paid`), { id, name: 'My shop', plan: 'paid', balance: 9 });
    t.strictSame(await ask(`workspaces update ${id} --name shop`), { id, name: 'shop', plan: 'paid', balance: 9 });
    t.match(await ask(`workspaces update ${id} --name both --plan free`), { name: 'both', plan: 'free' });
    await ask(['workspaces', 'update', id, '--name', 'My shop']);
    const { key } = await ask(`keys create --workspace ${id} --name k`);
    const template = await ask(`templates import card.json --workspace ${id}`);

    const question = `This deletes the workspace "My shop" (9 credits) with its keys, link keys, templates and assets.\nType its name to confirm: `;
    const refused = await run(`workspaces delete ${id}`, { isInteractive: true, input: 'My shopp\n' });
    t.same(refused, {
      code: 1,
      output: '',
      errors: `${question}error: nothing was deleted: "My shopp" is not the workspace's name\n`,
    });
    t.match(await run(`workspaces delete ${id}`, { isInteractive: true }), { code: 1 }, 'no answer');
    await fail(t, `workspaces delete ${id}`, /confirm it with --yes/, 2);
    t.match(await run('workspaces delete nope', { isInteractive: true }), {
      code: 1,
      errors: 'error: there is no workspace "nope"\n',
    });
    t.ok(await place.withStore((store) => store.findKey(hashKey(key))), 'nothing was deleted');

    const deleted = await run(`workspaces delete ${id}`, { isInteractive: true, input: 'My shop\nmore\n' });
    t.match(deleted, { code: 0, errors: question });
    t.strictSame(JSON.parse(deleted.output), { id, name: 'My shop', plan: 'free', balance: 9 });
    t.equal(await place.withStore((store) => store.findKey(hashKey(key))), undefined);
    await fail(t, `templates show ${template.id}`, /there is no template/);
    await fail(t, `workspaces delete ${id} --yes`, /there is no workspace/);
    t.strictSame(
      await ask(`credits show --workspace ${id}`),
      { workspaceId: id, balance: 9 },
      'its account stays readable',
    );
    t.strictSame(await ask(`log --workspace ${id}`), []);
    t.strictSame(await ask('workspaces list'), [other]);
    t.match(await ask(`workspaces delete ${other.id} --yes`), other);
    t.strictSame(await ask('workspaces list'), []);
  });

  t.test(`${name}: taking credits back`, skip, async (t) => {
    const place = await open(t);
    const { ask, fail } = commandsOf(place);
    const workspace = await ask('workspaces create --name w --credits 10');
    const w = `--workspace ${workspace.id}`;
    t.strictSame(await ask(`credits revoke ${w} --amount 4`), { workspaceId: workspace.id, balance: 6 });
    await fail(t, `credits revoke ${w} --amount 7`, /workspace "ws_\w+" has only 6 credits available/);
    await place.withStore(async (store) => {
      const hold = await holdOf(store, workspace, 2);
      if (name !== 'a data folder') await fail(t, `credits revoke ${w} --amount 5`, /has only 4 credits available/);
      await store.release(hold);
    });
    t.strictSame(await ask(`credits revoke ${w} --amount 6`), { workspaceId: workspace.id, balance: 0 });
  });

  t.test(`${name}: limits and use of keys`, skip, async (t) => {
    const place = await open(t);
    const { run, ask } = commandsOf(place);
    const { id: workspace } = await ask('workspaces create --name w');
    const plain = await ask(`keys create --workspace ${workspace} --name plain`);
    t.notOk('rateLimit' in plain || 'lastUsedAt' in plain);
    const limited = await ask(`keys create --workspace ${workspace} --name limited --rate-limit 120`);
    t.match(limited, { rateLimit: 120 });
    await place.withStore((store) => store.countRequest(plain.id, 'render', 60));
    const [first, second] = await ask(`keys list --workspace ${workspace}`);
    t.match([first, second], [{ id: limited.id, rateLimit: 120 }, { id: plain.id }]);
    t.equal(new Date(second.lastUsedAt).toISOString(), second.lastUsedAt);
    t.notOk('lastUsedAt' in first || 'rateLimit' in second);
    const { output } = await run(`keys list --workspace ${workspace}`, { isTTY: true });
    t.match(
      output,
      /^id +name +prefix +scopes +state +rateLimit +createdAt +lastUsedAt\n.*active +120 .*\n.*active +20/,
    );
  });

  t.test(`${name}: filters of the render log`, skip, async (t) => {
    const place = await open(t);
    const { run, ask } = commandsOf(place);
    const workspace = await ask('workspaces create --name w');
    const log = `log --workspace ${workspace.id}`;
    const at = (minute: number) => `2026-01-31T12:${String(minute).padStart(2, '0')}:00.000Z`;
    const failure = { status: 'failed', code: 'render_failed', detail: { path: 'layers[0]', message: 'no' } } as const;
    await place.withStore(async (store) => {
      for (let n = 0; n < 30; n++) {
        const more = n % 3 === 0 ? failure : { status: 'ok' as const, metadata: { order: `A-${n}`, shop: 'x=y' } };
        store.appendRender(
          entryOf(workspace, `r${n}`, {
            ...{ time: at(n), keyId: `key_${n % 2}`, templateId: `tpl_${n % 5}` },
            ...(n > 0 && { cpuMs: 40 + n }),
            ...more,
          }),
        );
      }
      // reading waits for the background writes
      await store.listRenders(workspace.id, {}, { limit: 1 });
    });
    const ids = async (options: string): Promise<string> =>
      (await ask(`${log} ${options}`.trim())).map((entry: { id: string }) => entry.id.slice(1)).join();
    const where = (keep: (n: number) => boolean) =>
      Array.from({ length: 30 }, (_, index) => 29 - index)
        .filter(keep)
        .join();
    t.equal(await ids('--limit 4'), '29,28,27,26');
    t.equal(
      await ids(''),
      where(() => true),
    );
    t.equal(
      await ids('--status failed'),
      where((n) => n % 3 === 0),
    );
    t.equal(await ids('--status ok --limit 3'), '29,28,26');
    t.equal(
      await ids('--template tpl_2 --key key_1'),
      where((n) => n % 5 === 2 && n % 2 === 1),
    );
    t.equal(
      await ids('--from 2026-01-31T12:10 --to 2026-01-31T13:20:00+01:00'),
      where((n) => n >= 10 && n < 20),
    );
    t.equal(await ids('--from 2026-02-01'), '');
    t.equal(await ids('--metadata order=A-7 --metadata shop=x=y'), '7');
    t.equal(await ids('--metadata order=A-7 --metadata shop=x'), '');
    const newest = [{ status: 'ok', id: 'r29', cpuMs: 69 }, {}, { ...failure, id: 'r27', cpuMs: 67 }];
    t.match(await ask(`${log} --limit 3`), newest);
    const { output } = await run(`${log} --limit 3`, { isTTY: true });
    t.match(output, /^time +status +code +keyId .*\n\S+ +ok +key_1 .*\n.*\n\S+ +failed +render_failed +key_1 /);
    t.match(output, /^.* durationMs +cpuMs +sizeBytes .*\n.* 3 +69 +4 .*\n/);
  });

  t.test(`${name}: assets`, skip, async (t) => {
    const place = await open(t);
    const { run, ask, fail } = commandsOf(place);
    const { id: workspace } = await ask('workspaces create --name w');
    const w = `--workspace ${workspace}`;
    t.strictSame(await ask(`assets list ${w}`), []);
    const image = await ask(`assets add photo.jpg ${w}`);
    const { id, createdAt } = image;
    t.strictSame(image, {
      ...{ id, workspaceId: workspace, kind: 'image', mimeType: 'image/jpeg', bytes: photo.length },
      ...{ sha256: createHash('sha256').update(photo).digest('hex'), width: 48, height: 32, createdAt },
    });
    const font = await ask(`assets add brand.ttf ${w}`);
    t.match(font, { kind: 'font', mimeType: 'font/ttf', family: 'Brand', weight: 700, style: 'normal' });
    t.strictSame(await ask(`assets list ${w}`), [font, image]);
    t.match((await run(`assets list ${w}`, { isTTY: true })).output, /^id +kind +mimeType +bytes .*\nasset_\w+ +font /);
    t.match(await run(`assets add photo.jpg ${w}`, { isTTY: true }), {
      code: 0,
      output: new RegExp(`^id +${id}\n[^]*\nThe workspace had this file already\\.\n$`),
    });
    const content = await place.withStore((store) => store.readAsset(workspace, id));
    t.ok(content && Buffer.from(content).equals(photo));

    await fail(t, `assets add card.json ${w}`, /^error: card\.json: received .*, expected a PNG, JPEG/);
    await fail(t, `assets add none.png ${w}`, /^error: none\.png: no such file or folder$/m);
    await fail(t, `assets add . ${w}`, /^error: \.: is a folder$/m);
    await fail(t, 'assets add photo.jpg --workspace nope', /there is no workspace "nope"/);
    const small = { ...place, environment: { ...place.environment, ASSET_MAX_BYTES: '100' } };
    const tooLarge = /photo\.jpg: received \d+ bytes, expected at most 100 \(ASSET_MAX_BYTES\)/;
    await commandsOf(small).fail(t, `assets add photo.jpg ${w}`, tooLarge);
    const full = { ...place, environment: { ...place.environment, ASSET_QUOTA_MB: '0' } };
    const other = (await ask('workspaces create --name other')).id;
    await commandsOf(full).fail(t, `assets add photo.jpg --workspace ${other}`, /there is no room for \d+ more$/m);

    const picture = { type: 'image', x: 0, y: 0, width: 20, height: 10, url: `asset:${id}` };
    const text = { ...title, text: 'Ag', fontFamily: 'Brand', width: 20, fontSize: 8 };
    writeFileSync(join(place.directory, 'user.json'), JSON.stringify({ ...card, layers: [picture], hotspots: [text] }));
    const template = await ask(`templates import user.json ${w}`);
    const compared = await ask(`templates diff ${template.id} card.json -o out.png`);
    t.ok(compared.pixels.differing > 100, 'the picture is drawn over the whole canvas');
    t.match(compared.fields, [{ path: 'layers[0].type' }]);
    await fail(t, `assets delete ${id} ${w}`, new RegExp(`error: .*${template.id}`));
    t.strictSame(await ask(`assets delete ${id} ${w} --force`), image);
    await fail(t, `assets delete ${id} ${w}`, /there is no asset "asset_\w+"/);
    t.strictSame(await ask(`assets delete ${font.id} ${w}`), font);
    t.strictSame(await ask(`assets list ${w}`), []);
  });

  t.test(`${name}: operators and the audit log`, skip, async (t) => {
    const place = await open(t);
    const environment = { ...place.environment, DASHBOARD_ORIGIN: 'https://images.example.com' };
    const { ask, fail } = commandsOf({ ...place, environment });
    const hashOf = (link: string) => createHash('sha256').update(link.split('#')[1]).digest('hex');
    const { link, ...ada } = await ask('operators create ada');
    t.match(ada, { name: 'ada', role: 'owner', workspaces: null, hasPassword: false });
    t.match(link, /^https:\/\/images\.example\.com\/dashboard\/link#[\w-]{43}$/);
    t.strictSame(await place.withStore((store) => store.findSignInToken(hashOf(link))), ada);
    const { id } = await ask('workspaces create --name w');
    const { id: second } = await ask('workspaces create --name v');
    t.match(await ask(['operators', 'create', 'Ed B.', '--workspace', `${id}, ${second}`]), {
      ...{ name: 'Ed B.', role: 'editor', workspaces: [id, second] },
    });
    t.match(await ask(`operators create vi --role viewer --workspace ${id}`), { role: 'viewer', workspaces: [id] });
    t.match(await ask('operators list'), [{ name: 'vi' }, { name: 'Ed B.' }, { name: 'ada' }]);
    const renewed = await ask('operators link ada');
    const used = await place.withStore(async (store) => [
      await store.findSignInToken(hashOf(link)),
      await store.setPassword(hashOf(renewed.link), 'hash'),
    ]);
    t.match(used, [undefined, { name: 'ada' }], 'the new link ends the earlier one');
    t.match(await ask('operators list'), [{}, {}, { name: 'ada', hasPassword: true }]);
    t.match(await ask('operators remove vi'), { name: 'vi' });
    await fail(t, 'operators remove ada', /"ada" is the last owner/);
    await fail(t, 'operators create ada', /"ada" already$/m);
    await fail(t, 'operators link eve', /there is no operator "eve"$/m);
    await fail(t, 'operators create eve --workspace none', /no workspace "none"/);
    const entries: { action: string }[] = await ask('audit');
    t.same(entries[0], {
      ...entries[0],
      actor: { kind: 'command' },
      action: 'operator.remove',
      details: { name: 'vi', role: 'viewer' },
    });
    t.equal(entries.length, 3 * 2 + 2 + 1 + 1, 'three operators with links, two workspaces, a link, a removal');
    t.match(await ask(`audit --workspace ${id}`), [{ action: 'workspace.create', subject: id }]);
  });
}
