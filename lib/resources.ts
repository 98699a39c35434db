// Reads how many cores and how much memory this process may use: a container or service often gets a part of the machine.
import { readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { dirname, join } from 'node:path';

/** Bytes of memory: the machine's, or the limit of the control group (cgroup) if that is lower. */
export function usableMemory(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

/**
 * Cores, at least 1. Node counts the cores that the process may run on and ignores CPU quotas: on a machine with 64 cores, a
 * container limited to one core would get 64 render processes. The files are described in cgroups(7) and cgroup-v2.rst.
 */
export function usableCores(root = '/', cores = availableParallelism()): number {
  return Math.max(1, Math.min(cores, ...coreQuotas(root).map(Math.ceil)));
}

/** Milliseconds of processor time that this process has used, all its threads together. */
export function processorTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The core quotas of the process's control group and its ancestors; groups without a quota are left out. */
function coreQuotas(root: string): number[] {
  const quotas: number[] = [];
  for (const line of readFields(join(root, 'proc/self/cgroup'), '\n')) {
    // The path may contain colons.
    const [, controllers = '', path = '/'] = /^[^:]*:([^:]*):(.*)/.exec(line) ?? [];
    const mount = join(root, 'sys/fs/cgroup', controllers);
    if (controllers !== '' && !controllers.split(',').includes('cpu')) continue;
    // Inside a container the path may be the host's, while the container's own group is the root of the mount.
    for (let group = path; ; group = dirname(group)) {
      const [quota, period] =
        controllers === ''
          ? readFields(join(mount, group, 'cpu.max'), ' ')
          : ['quota', 'period'].flatMap((name) => readFields(join(mount, group, `cpu.cfs_${name}_us`), '\n'));
      // A missing quota is written as "max" (v2) or -1 (v1).
      if (Number(quota) > 0 && Number(period) > 0) quotas.push(Number(quota) / Number(period));
      if (group === '/' || group === '.') break;
    }
  }
  return quotas;
}

/** The file's fields; empty if it does not exist, as on systems without control groups. */
function readFields(file: string, separator: string): string[] {
  try {
    return readFileSync(file, 'utf8').trim().split(separator);
  } catch {
    return [];
  }
}
