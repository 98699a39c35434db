// Compiles the sources and the fuzzer to JavaScript in a temporary folder: render processes can't run TypeScript.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeCheckout, ROOT } from '../checkout.js';
import { transpile } from '../loader/transpile.mjs';
import type * as corpusModule from './corpus.js';
import type * as costlyModule from './costly.js';
import type * as runModule from './run.js';
import type * as subjectModule from './subject.js';
import type * as trialModule from './trial.js';

export interface Built {
  readonly root: string;
  /** The folder of the fuzzer's built modules. */
  readonly dir: string;
  readonly run: typeof runModule;
  readonly corpus: typeof corpusModule;
  readonly subject: typeof subjectModule;
  readonly trial: typeof trialModule;
  readonly costly: typeof costlyModule;
  /** Deletes the folder. */
  remove(): void;
}

/** The modules as they were built, each with the same ones around it. */
export async function build(): Promise<Built> {
  const folder = mkdtempSync(join(tmpdir(), 'platen-fuzz-'));
  makeCheckout(folder);
  const source = join(ROOT, 'test/fuzz');
  const target = join(folder, 'dist/modules/test/fuzz');
  mkdirSync(target, { recursive: true });
  symlinkSync(join(ROOT, 'test/node_modules'), join(folder, 'dist/modules/test/node_modules'));
  for (const name of readdirSync(source)) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue;
    writeFileSync(join(target, name.replace(/\.ts$/, '.js')), transpile(readFileSync(join(source, name), 'utf8')));
  }
  const load = (name: string) => import(pathToFileURL(join(target, name)).href);
  const [run, corpus, subject, trial, costly] = await Promise.all(
    ['run.js', 'corpus.js', 'subject.js', 'trial.js', 'costly.js'].map((name) => load(name)),
  );
  return {
    root: ROOT,
    dir: target,
    run,
    corpus,
    subject,
    trial,
    costly,
    remove: () => rmSync(folder, { recursive: true }),
  };
}
