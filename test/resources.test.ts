// The cores and memory of a container or service, read from Linux control group files.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { memoryWarning } from '../lib/cli/memory-warning.js';
import { usableCores, usableMemory } from '../lib/resources.js';

function coresWith(root: string, files: Readonly<Record<string, string>>): number {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), `${text}\n`);
  }
  return usableCores(root, 16);
}

t.test('reads CPU quotas', async (t) => {
  const rows: [string, Record<string, string>, number][] = [
    ['no control groups', {}, 16],
    ['no quota', { 'proc/self/cgroup': '0::/', 'sys/fs/cgroup/cpu.max': 'max 100000' }, 16],
    ['a container', { 'proc/self/cgroup': '0::/', 'sys/fs/cgroup/cpu.max': '200000 100000' }, 2],
    ['part of a core', { 'proc/self/cgroup': '0::/', 'sys/fs/cgroup/cpu.max': '25000 100000' }, 1],
    ['a core and a half', { 'proc/self/cgroup': '0::/', 'sys/fs/cgroup/cpu.max': '150000 100000' }, 2],
    [
      'a quota above the number of cores',
      { 'proc/self/cgroup': '0::/', 'sys/fs/cgroup/cpu.max': '9900000 100000' },
      16,
    ],
    [
      'a service in a slice: the lowest quota applies',
      {
        'proc/self/cgroup': '0::/system.slice/platen.service',
        'sys/fs/cgroup/system.slice/cpu.max': '400000 100000',
        'sys/fs/cgroup/system.slice/platen.service/cpu.max': '600000 100000',
      },
      4,
    ],
    [
      'cgroup v1',
      {
        'proc/self/cgroup': '5:memory:/a\n4:cpu,cpuacct:/docker/1f\n0::/b',
        'sys/fs/cgroup/cpu,cpuacct/docker/1f/cpu.cfs_quota_us': '300000',
        'sys/fs/cgroup/cpu,cpuacct/docker/1f/cpu.cfs_period_us': '100000',
        'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us': '-1',
        'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us': '100000',
      },
      3,
    ],
    [
      'cgroup v1 with the path of the host',
      {
        'proc/self/cgroup': '4:cpu:/docker/1f',
        'sys/fs/cgroup/cpu/cpu.cfs_quota_us': '50000',
        'sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000',
      },
      1,
    ],
    [
      'a path with colons',
      { 'proc/self/cgroup': '0::/a/b-:1.2', 'sys/fs/cgroup/a/b-:1.2/cpu.max': '100000 100000' },
      1,
    ],
    ['nonsense', { 'proc/self/cgroup': ':\n\n0', 'sys/fs/cgroup/cpu.max': 'much' }, 16],
  ];
  for (const [name, files, cores] of rows)
    await t.test(name, async (t) => t.equal(coresWith(t.testdir(), files), cores));
  t.ok(usableCores() >= 1 && usableMemory() > 2 ** 26, 'here');
});

t.test('warns if the settings need more memory than available', (t) => {
  const settings = { RENDER_MEMORY_MB: 1024, RENDER_CACHE_MB: 64, RENDER_WORKERS: 2 };
  t.equal(memoryWarning(settings, 1548 * 2 ** 20), undefined);
  t.match(
    memoryWarning(settings, 512 * 2 ** 20),
    /^RENDER_MEMORY_MB 1024, RENDER_CACHE_MB 64 and 3 render processes may take 1548 MiB, but only 512 MiB are available: lower /,
  );
  t.equal(memoryWarning({ ...settings, RENDER_WORKERS: 0 }, 1300 * 2 ** 20), undefined, 'no processes');
  t.end();
});
