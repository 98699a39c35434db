// Records and assets on a simulated disk that loses power: every template and asset that was acknowledged is there with its
// content, and no row refers to a file that is missing. The upgrade of a folder of format 1 is interrupted in the same way.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Store } from '../../lib/store/types.js';
import { dice, FORM } from '../exhaustive.js';
import { assetOf } from '../store/suite-administration.js';
import { draft } from '../store/suite-templates.js';
import { ModelDisk, PowerCut } from './disk.js';
import { folder, open } from './modelled.js';

const FORMAT_1 = new URL('../store/embedded/format-1/data', import.meta.url).pathname;
const CONTENTS = JSON.parse(readFileSync(new URL('../store/embedded/format-1/contents.json', import.meta.url), 'utf8'));
const QUOTA = 1e6;
const published = { publish: true };

/** States of the disk that are tried after each power cut in `npm test`. */
const SAMPLES = 3;

/** States after a power cut: all of them in the exhaustive form, unless there are very many. */
function* statesOf(disk: ModelDisk, seed: number): Generator<ModelDisk> {
  if (FORM !== 'normal') {
    let states = 0;
    for (const state of disk.allAfterPowerCut()) {
      if (states++ === 2000) break;
      yield state;
    }
  }
  const random = dice(seed);
  for (let sample = 0; sample < SAMPLES; sample++) yield disk.afterPowerCut(random);
  yield disk.afterKill();
}

/** The names in all versions of all templates, and the contents of all assets: each read from its file. */
async function contentsOf(store: Store): Promise<string[]> {
  const contents: string[] = [];
  for (const template of (await store.listTemplates(undefined, { limit: 100 })).items) {
    for (const { version } of (await store.listTemplateVersions(template, { limit: 100 })).items) {
      const { record } = await store.getTemplateRecord(template, version);
      contents.push(`${template.id} ${version} ${(record as { name: string }).name}`);
    }
  }
  for (const { id } of await store.listWorkspaces()) {
    for (const asset of (await store.listAssets(id, { limit: 100 })).items)
      contents.push(String(await store.readAsset(id, asset.id)));
  }
  return contents;
}

// fault: 85
t.test('survives a power cut at every call while templates and assets change', async (t) => {
  let cuts = 0;
  let states = 0;
  for (let cut = 0; ; cut++) {
    const disk = new ModelDisk();
    const store = await open(disk);
    const { id } = await store.createWorkspace({ name: 'w', plan: 'free', credits: 0 });
    const first = await store.createTemplate(id, draft('first'), published);
    const second = await store.createTemplate(id, draft('second'), published);
    let acknowledged = await contentsOf(store);
    disk.calls = 0;
    disk.fault = () => {
      if (disk.calls >= cut) throw new PowerCut('the power is off');
      return undefined;
    };
    const content = Buffer.from('an asset');
    const steps: (() => Promise<unknown>)[] = [
      () => store.replaceTemplate(first, draft('changed'), published),
      () => store.addAsset(assetOf(id, content), content, QUOTA),
      () => store.restoreTemplate(first, 1, published),
      () => store.deleteTemplate(second),
      () => store.createTemplate(id, draft('third'), published),
      async () => store.deleteAsset(id, (await store.listAssets(id, { limit: 1 })).items[0].id, { force: true }),
      () => store.deleteTemplate(first),
      () => store.createTemplate(id, draft('fourth'), published),
    ];
    let inFlight: (() => Promise<unknown>) | undefined;
    for (const step of steps) {
      inFlight = step;
      if (
        await step().then(
          () => false,
          () => true,
        )
      )
        break;
      inFlight = undefined;
      // Reading does not count as a call of the step.
      const { fault, calls } = disk;
      disk.fault = () => undefined;
      acknowledged = await contentsOf(store);
      Object.assign(disk, { fault, calls });
    }
    if (!inFlight && disk.calls < cut) break;
    cuts++;
    for (const state of statesOf(disk, cut)) {
      states++;
      const again = await open(state);
      const found = await contentsOf(again);
      if (JSON.stringify(found) !== JSON.stringify(acknowledged)) {
        const changed = new Set([...found.filter((each) => !acknowledged.includes(each))]);
        const missing = acknowledged.filter((each) => !found.includes(each));
        // The step that was in progress may have happened, whole: it adds one content, or deletes one template or asset.
        const isOneStep =
          inFlight !== undefined && changed.size + new Set(missing.map((each) => each.split(' ')[0])).size === 1;
        if (!isOneStep) t.same(found, acknowledged, `cut at call ${cut}`);
      }
      await again.createTemplate(id, draft('later'), published);
      t.match((await contentsOf(await open(state.afterKill())))[0], / 1 later$/, 'further changes are durable');
    }
  }
  t.ok(cuts > 60, `${cuts} cuts`);
  t.comment(`content: ${cuts} cuts, ${states} states`);
});

// fault: 85
t.test('survives a power cut at every call of the upgrade from format 1', async (t) => {
  let states = 0;
  for (let cut = 0; ; cut++) {
    const disk = new ModelDisk();
    for (const name of readdirSync(FORMAT_1)) disk.put(join(folder, name), readFileSync(join(FORMAT_1, name)));
    disk.fault = () => {
      if (disk.calls >= cut) throw new PowerCut('the power is off');
      return undefined;
    };
    await open(disk).catch(() => undefined);
    const isLast = disk.calls < cut;
    for (const state of statesOf(disk, cut)) {
      states++;
      const store = await open(state);
      const templates = (await store.listTemplates(undefined, { limit: 100 })).items;
      const records = templates.map(async (each) => JSON.stringify((await store.getTemplateRecord(each)).record));
      t.strictSame(await Promise.all(records), CONTENTS.records, `cut at call ${cut}`);
      t.strictSame(await store.listWorkspaces(), CONTENTS.workspaces, `cut at call ${cut}`);
    }
    if (!isLast) continue;
    t.ok(cut > 40, `${cut} cuts`);
    t.comment(`upgrade: ${cut} cuts, ${states} states`);
    break;
  }
});
