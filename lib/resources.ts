// How much of the machine this process may use: containers and services are often given a part of its cores and memory.
import { readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { dirname, join } from 'node:path';

/** Bytes: the machine's, or what its control group is allowed, where that is less. */
export function usableMemory(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

/**
 * Cores, at least 1. Node counts those that the process may run on, but no quota of time on them: on a machine of 64, a
 * container of one core would get 64 render processes. Source of the files: cgroups(7), and the kernel's cgroup-v2.rst.
 */
export function usableCores(root = '/', cores = availableParallelism()): number {
  return Math.max(1, Math.min(cores, ...quotas(root).map(Math.ceil)));
}

/** Cores that each control group around this process grants, where it sets a bound. */
function quotas(root: string): number[] {
  const found: number[] = [];
  for (const line of readWords(join(root, 'proc/self/cgroup'), '\n')) {
    // a path may hold colons itself
    const [, controllers = '', path = '/'] = /^[^:]*:([^:]*):(.*)/.exec(line) ?? [];
    const mount = join(root, 'sys/fs/cgroup', controllers);
    if (controllers !== '' && !controllers.split(',').includes('cpu')) continue;
    // within a container the path may be the host's, and its own group the one at the top
    for (let group = path; ; group = dirname(group)) {
      const [quota, period] =
        controllers === ''
          ? readWords(join(mount, group, 'cpu.max'), ' ')
          : ['quota', 'period'].flatMap((name) => readWords(join(mount, group, `cpu.cfs_${name}_us`), '\n'));
      // without a bound these are "max" and -1
      if (Number(quota) > 0 && Number(period) > 0) found.push(Number(quota) / Number(period));
      if (group === '/' || group === '.') break;
    }
  }
  return found;
}

/** Nothing where there is no such file: other systems have no control groups. */
function readWords(file: string, between: string): string[] {
  try {
    return readFileSync(file, 'utf8').trim().split(between);
  } catch {
    return [];
  }
}
