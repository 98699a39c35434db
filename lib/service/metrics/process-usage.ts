// Memory and processor time of the render processes: what Linux says in /proc, elsewhere what the processes or their pool report.
import type { RenderPool } from '../../workers/pool.js';
import { processorTimeOfEnded, readUsage } from '../../workers/processor-time.js';

export interface ServerUsage {
  readonly residentBytes: number;
  /** User and system time. */
  readonly cpuSeconds: number;
}

export interface PoolUsage {
  /** Each process by its number in the pool, from 0. A process that ended leaves its number to the next one. */
  readonly processes: ReadonlyMap<number, ServerUsage>;
  /** Processor time of all processes since the server started, those that ended included; never falls. */
  readonly cpuSeconds: number;
}

/** The system's figures about processes; undefined if it gives none. */
export interface ProcessTable {
  usage(pid: number): Promise<ServerUsage | undefined>;
  /** Processor time, in seconds, of the children of this process that have ended. */
  endedSeconds(): Promise<number | undefined>;
}

/** Reads the usage of the pool's processes. */
export function createUsageReader(
  pool: Pick<RenderPool, 'stats'>,
  table: ProcessTable = PROC,
): () => Promise<PoolUsage> {
  const numbers = new Map<number, number>();
  /** The last report of each process, for systems that don't count the processor time of ended ones. */
  const lastReports = new Map<number, number>();
  let endedReports = 0;
  let total = 0;

  function assignNumbers(pids: ReadonlySet<number>): void {
    for (const pid of [...numbers.keys()]) if (!pids.has(pid)) numbers.delete(pid);
    for (const pid of pids) {
      if (numbers.has(pid)) continue;
      const taken = new Set(numbers.values());
      let free = 0;
      while (taken.has(free)) free++;
      numbers.set(pid, free);
    }
  }

  function noteReports(usages: ReadonlyMap<number, ServerUsage>): void {
    for (const [pid, seconds] of lastReports) if (!usages.has(pid)) endedReports += seconds;
    lastReports.clear();
    for (const [pid, { cpuSeconds }] of usages) lastReports.set(pid, cpuSeconds);
  }

  return async () => {
    // before the living ones: a process that ends in between is then missing, and the next reading makes up for it
    const ended = await table.endedSeconds();
    const { processes } = pool.stats();
    const usages = new Map<number, ServerUsage>();
    const reports = new Map<number, ServerUsage>();
    for (const { pid, memory, workMs, usage } of processes) {
      const reported = usage
        ? { residentBytes: usage.residentBytes, cpuSeconds: usage.cpuMs / 1000 }
        : { residentBytes: memory, cpuSeconds: workMs / 1000 };
      usages.set(pid, (usage ? undefined : await table.usage(pid)) ?? reported);
      if (usage || ended === undefined) reports.set(pid, usages.get(pid)!);
    }
    assignNumbers(new Set(usages.keys()));
    noteReports(reports);
    const living = [...usages.values()].reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
    total = Math.max(total, living + (ended ?? 0) + endedReports);
    return { processes: new Map(Array.from(usages, ([pid, usage]) => [numbers.get(pid)!, usage])), cpuSeconds: total };
  };
}

/** Linux's /proc. Elsewhere everything is undefined. */
export const PROC: ProcessTable = {
  async usage(pid) {
    const usage = readUsage(pid);
    return usage && { residentBytes: usage.residentBytes, cpuSeconds: usage.cpuMs / 1000 };
  },
  async endedSeconds() {
    const endedMs = processorTimeOfEnded();
    return endedMs === undefined ? undefined : endedMs / 1000;
  },
};
