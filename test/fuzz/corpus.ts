// Inputs that failed before, stored as corpus/TARGET/NAME.EXTENSION and replayed in every test run.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Failure } from './judge.js';
import { TARGETS, type Target } from './targets.js';

export interface Case {
  readonly target: Target;
  /** From the corpus's folder. */
  readonly path: string;
  readonly input: Uint8Array;
}

export const CORPUS = 'test/fuzz/corpus';

export function readCorpus(root: string): Case[] {
  return TARGETS.flatMap((target) => {
    const folder = join(root, CORPUS, target.name);
    return namesIn(folder).map((name) => {
      const input = Uint8Array.from(readFileSync(join(folder, name)));
      return { target, path: `${target.name}/${name}`, input };
    });
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** Writes a failing input; gives its path from the repository's folder. */
export function keep(root: string, target: Target, { kind }: Failure, name: string, input: Uint8Array): string {
  mkdirSync(join(root, CORPUS, target.name), { recursive: true });
  const path = join(CORPUS, target.name, `${kind.replace(' ', '-')}-${name}.${target.extension}`);
  writeFileSync(join(root, path), input);
  return path;
}

/**
 * The input with what is not needed for the failure cut away: ever smaller pieces, until `milliseconds` have passed.
 */
export async function minimise(
  input: Uint8Array,
  stillFails: (candidate: Uint8Array) => Promise<boolean>,
  milliseconds: number,
): Promise<Uint8Array> {
  const end = performance.now() + milliseconds;
  let best = input;
  for (let piece = best.length >> 1; piece >= 1; piece >>= 1) {
    for (let at = 0; at < best.length; ) {
      if (performance.now() > end) return best;
      const candidate = Uint8Array.from(Buffer.concat([best.subarray(0, at), best.subarray(at + piece)]));
      if (candidate.length > 0 && (await stillFails(candidate))) best = candidate;
      else at += piece;
    }
  }
  return best;
}

/** Throws for a name that is none. */
export function targetOf(name: string | undefined): Target {
  const target = TARGETS.find((candidate) => candidate.name === name);
  if (!target) throw new Error(`--target is one of ${TARGETS.map((candidate) => candidate.name).join(', ')}`);
  return target;
}
