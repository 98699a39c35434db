// The JavaScript runtime: its name and version, WebAssembly, and what the process may use of the machine.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { rootCertificates } from 'node:tls';
import { usableCores, usableMemory } from '../../resources.js';
import { failure, finding, type HostFinding, reasonOf } from './finding.js';

const MIN_NODE = 20;
const MIB = 2 ** 20;

export function checkRuntime(): HostFinding {
  const { bun, deno, node } = process.versions;
  const name = bun ? `Bun ${bun}` : deno ? `Deno ${deno}` : `Node ${node}`;
  const found = `${name} on ${process.platform} ${process.arch}`;
  const isOld = !bun && !deno && Number.parseInt(node, 10) < MIN_NODE;
  return isOld ? failure('runtime', found, `Platen needs Node ${MIN_NODE} or newer`) : finding('runtime', found);
}

const WITHOUT = 'AVIF fails, and renders take many times as long';

export async function checkWebAssembly(): Promise<HostFinding> {
  if (typeof WebAssembly === 'undefined') {
    const cause = (await startsUsually())
      ? 'start Node without --jitless to have it'
      : 'the host forbids executable memory, so Node starts only with --jitless';
    return finding('WebAssembly', 'none', `${WITHOUT}; ${cause}`);
  }
  const { MODULE } = await import('../../kernels/module.js');
  try {
    new WebAssembly.Module(Buffer.from(MODULE, 'base64'));
  } catch (error) {
    return finding('WebAssembly', `it fails, or has no SIMD: ${reasonOf(error)}`, WITHOUT);
  }
  return finding('WebAssembly', 'with SIMD');
}

/** Whether the runtime starts without the flag that takes WebAssembly from this process. */
function startsUsually(): Promise<boolean> {
  const { NODE_OPTIONS: _, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(process.execPath, ['-e', '0'], { env }, (error) => resolve(error === null));
  });
}

export function checkCores(): HostFinding {
  const cores = usableCores();
  const all = availableParallelism();
  return finding('cores', cores < all ? `${cores} of ${all}, by the quota of the control group` : String(cores));
}

export function checkMemory(shortage: (usable: number) => string | undefined): HostFinding {
  const usable = usableMemory();
  const all = totalmem();
  const size = (bytes: number) => `${Math.floor(bytes / MIB)} MiB`;
  const found = usable < all ? `${size(usable)} of ${size(all)}, by the limit of the control group` : size(usable);
  return finding('memory', found, shortage(usable));
}

/** Linux: limits that `ulimit` sets; undefined where nothing tells them. */
export function checkLimits(): HostFinding | undefined {
  if (process.platform !== 'linux') return undefined;
  let limits: string;
  try {
    limits = readFileSync('/proc/self/limits', 'utf8');
  } catch (error) {
    const effect = 'render processes are replaced by their number of renders alone, not by their memory';
    return finding('/proc', reasonOf(error), effect);
  }
  const softLimit = (name: string) => new RegExp(`^${name} +(\\S+)`, 'm').exec(limits)?.[1] ?? 'unlimited';
  const [files, space] = [softLimit('Max open files'), softLimit('Max address space')];
  const effects = [
    ...(space === 'unlimited'
      ? []
      : ['WebAssembly reserves more addresses than it uses, and may fail: lift ulimit -v']),
    ...(Number(files) < 1024 ? ['a server needs an open file for each connection: raise ulimit -n'] : []),
  ];
  const found = `${files} open files, ${space === 'unlimited' ? 'any address space' : `${space} bytes of address space`}`;
  return finding('limits', found, effects.length > 0 ? effects.join('; ') : undefined);
}

export function checkCertificates(): HostFinding {
  const own = process.env.NODE_EXTRA_CA_CERTS ? ` and those of ${process.env.NODE_EXTRA_CA_CERTS}` : '';
  const found = `${rootCertificates.length} root certificates${own}`;
  const isEmpty = rootCertificates.length === 0 && own === '';
  return finding('https', found, isEmpty ? 'images and fonts from https: URLs fail' : undefined);
}
