// The long run: npm run fuzz -- --seconds N --seed S [--target png,jpeg] [--only N] [--from N] [--seeds FOLDER] [--replay FILE]
// npm run fuzz -- --cpu [--top N] searches for inputs that take much processor time; --print LINEAGE writes one to stdout.
// Exits with 1 if any input failed.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { build } from './built.js';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    target: { type: 'string' },
    only: { type: 'string' },
    from: { type: 'string', default: '0' },
    seeds: { type: 'string', multiple: true, default: [] },
    deadline: { type: 'string', default: '10000' },
    replay: { type: 'string' },
    cpu: { type: 'boolean', default: false },
    top: { type: 'string', default: '20' },
    print: { type: 'string' },
    'no-packages': { type: 'boolean', default: false },
    'no-keep': { type: 'boolean', default: false },
  },
});
const print = (line: string) => console.log(line);
const built = await build();
try {
  if (values.print !== undefined) await printInput(values.print);
  else if (values.cpu) await searchCostly();
  else {
    const failures = values.replay === undefined ? await search() : await replay(values.replay);
    process.exitCode = failures > 0 ? 1 : 0;
  }
} finally {
  built.remove();
}

async function search(): Promise<number> {
  const statistics = await built.run.fuzz({
    root: built.root,
    seed: values.seed,
    seconds: Number(values.seconds),
    from: Number(values.only ?? values.from),
    ...(values.only !== undefined && { most: 1 }),
    ...(values.target !== undefined && { targets: values.target.split(',') }),
    packages: !values['no-packages'],
    folders: values.seeds,
    deadlineMs: Number(values.deadline),
    keep: !values['no-keep'],
    print,
  });
  for (const line of statistics.lines()) print(line);
  return statistics.failures;
}

/** Lists the inputs that take most processor time, and how to get each. */
async function searchCostly(): Promise<void> {
  const { seed } = values;
  const found = await built.costly.searchCostly({
    root: built.root,
    seed,
    seconds: Number(values.seconds),
    ...(values.target !== undefined && { targets: values.target.split(',') }),
    packages: !values['no-packages'],
    folders: values.seeds,
    deadlineMs: Number(values.deadline),
  });
  for (const { target, cpuMs, credits, outcome, bytes, lineage } of found.slice(0, Number(values.top))) {
    const cost = `${String(Math.round(cpuMs)).padStart(6)} ms for ${credits} ${credits === 1 ? 'credit' : 'credits'}`;
    print(
      `${target.padEnd(9)} ${cost}, ${outcome}, ${bytes} bytes: --seed ${seed} --target ${target} --print ${lineage.join('.')}`,
    );
  }
}

/** Writes the input of a lineage to stdout. */
async function printInput(lineage: string): Promise<void> {
  const target = built.corpus.targetOf(values.target);
  const packages = !values['no-packages'];
  const seeds = await target.seeds({ root: built.root, packages, folders: values.seeds });
  process.stdout.write(built.costly.costlyInput(target, seeds, values.seed, lineage.split('.').map(Number)));
}

/** A file as an input of `--target`, which must name one. */
async function replay(file: string): Promise<number> {
  const subject = built.subject.createSubject({ deadlineMs: Number(values.deadline) });
  const input = Uint8Array.from(readFileSync(file));
  const target = built.corpus.targetOf(values.target);
  const trials = new built.trial.Trials(built.root, subject);
  await trials.prepare([target]);
  const verdict = await trials.run(target, input);
  subject.renew();
  print(JSON.stringify(verdict, undefined, 2));
  return verdict.failure ? 1 : 0;
}
