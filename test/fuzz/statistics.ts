// Counts outcomes per target and formats them as a table.
import type { Verdict } from './trial.js';

interface Tally {
  inputs: number;
  failures: number;
  slowestMs: number;
  slowest: number;
  readonly outcomes: Map<string, number>;
}

export class Statistics {
  /** Render processes that were started. */
  processes = 0;
  private readonly tallies = new Map<string, Tally>();

  add(target: string, number: number, { outcome, ms, failure }: Verdict): void {
    const tally = this.tallies.get(target) ?? { inputs: 0, failures: 0, slowestMs: 0, slowest: 0, outcomes: new Map() };
    this.tallies.set(target, tally);
    tally.inputs++;
    if (failure) tally.failures++;
    if (ms > tally.slowestMs) {
      tally.slowestMs = ms;
      tally.slowest = number;
    }
    tally.outcomes.set(outcome, (tally.outcomes.get(outcome) ?? 0) + 1);
  }

  get failures(): number {
    return [...this.tallies.values()].reduce((sum, { failures }) => sum + failures, 0);
  }

  get inputs(): number {
    return [...this.tallies.values()].reduce((sum, { inputs }) => sum + inputs, 0);
  }

  /** Returns the number of a target's inputs that were drawn. */
  accepted(target: string): number {
    return this.tallies.get(target)?.outcomes.get('200') ?? 0;
  }

  lines(): string[] {
    const rows = [...this.tallies].map(([target, { inputs, failures, slowestMs, slowest, outcomes }]) => {
      const counts = [...outcomes].sort(([, one], [, other]) => other - one).map(([name, count]) => `${name} ${count}`);
      const time = `slowest ${Math.round(slowestMs)} ms (${slowest})`;
      return `${target.padEnd(9)} ${String(inputs).padStart(6)} inputs, ${failures} failures, ${time}: ${counts.join(', ')}`;
    });
    return [...rows, `${this.inputs} inputs, ${this.failures} failures, ${this.processes} render processes`];
  }
}
