// A case is one mutated file of each format, made from the repository's own files.
import { build } from '../fuzz/built.js';
import type { Cases } from './long-run.js';
import { FORMATS } from './runs.js';

const DEADLINE_MS = 10_000;

export async function openDecoders(seed: number): Promise<Cases> {
  const built = await build();
  const subject = built.subject.createSubject({ deadlineMs: DEADLINE_MS });
  const trials = new built.trial.Trials(built.root, subject);
  const targets = FORMATS.map((name) => built.corpus.targetOf(name));
  const planted = await Promise.all(
    targets.map(async (target) => ({ target, seeds: await target.seeds({ root: built.root, packages: false }) })),
  );
  await trials.prepare(targets);
  return {
    async run(index) {
      const failures: string[] = [];
      let rendered = 0;
      for (const { target, seeds } of planted) {
        const verdict = await trials.run(target, built.run.inputOf(target, seeds, String(seed), index));
        if (verdict.outcome === '200') rendered++;
        if (!verdict.failure) continue;
        const { kind, detail } = verdict.failure;
        const again = `npm run fuzz -- --no-packages --seed ${seed} --target ${target.name} --only ${index}`;
        failures.push(`${target.name} ${index}: ${kind}: ${detail.slice(0, 300)} (minimise with ${again})`);
      }
      return { failures, totals: { rendered, refused: FORMATS.length - rendered } };
    },
    async close() {
      subject.renew();
      built.remove();
      return [];
    },
  };
}
