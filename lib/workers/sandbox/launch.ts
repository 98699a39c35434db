// Starts render processes behind walls. A process inherits nothing of its parent's environment, so that a decoder that is
// taken over finds no secrets there.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { IMAGE_CACHE_ARGUMENT, KILLED_BY_KERNEL } from '../job.js';
import { lowerPriority } from '../priority.js';
import { type AllowList, allowListOf } from './allow-list.js';
import { createJail, OOM_SCORE, type ProcessCommand } from './jail.js';
import { permissionOptions } from './permissions.js';
import type { LocalWalls } from './walls.js';

/** Options that a process starts with. */
export interface LaunchOptions {
  /** Bytes of decoded images that the process keeps from job to job. */
  readonly imageCacheBytes?: number | undefined;
  /** Whether the process runs at a lower priority than its parent. */
  readonly isNice: boolean;
}

/** The resources that a process has used so far, as the system that it runs on reports them. */
export interface ProcessUsage {
  readonly pid: number;
  /** Milliseconds of processor time. */
  readonly cpuMs: number;
  readonly residentBytes: number;
}

/** A process that was started here or by a separate pool. */
export interface Launched {
  readonly input: Writable;
  readonly output: Readable;
  /** The process's standard error; undefined if a separate pool logs it. */
  readonly errors: Readable | undefined;
  /** The id of the process as this process sees it; undefined when it could not be started, or runs elsewhere. */
  pid(): number | undefined;
  /** Returns the usage that a separate pool last reported; undefined for a process outside of one. */
  usage?(): ProcessUsage | undefined;
  kill(): void;
  /** Whether it keeps this process alive. */
  ref(): void;
  unref(): void;
  /** Calls back once, when the process has ended or could not be started, with the reason. */
  onEnd(listener: (reason: string) => void): void;
}

export type Launch = (options: LaunchOptions) => Launched;

export interface ProgramOptions {
  /** The module that the process runs. */
  readonly entry: string | URL;
}

/** JavaScript heap of a worker, in MiB; pixels are outside of it. */
const HEAP_MB = 512;
/**
 * Node's options for a worker. There is one process per core, so the garbage collector's helper threads would only compete
 * with renders: with collection on the main thread, text cards at 8 connections take 0.75 of the CPU time. A process that
 * holds much collects after its job, hence `--expose-gc`.
 */
const NODE_OPTIONS = [
  `--max-old-space-size=${HEAP_MB}`,
  '--disable-proto=delete',
  '--single-threaded-gc',
  '--expose-gc',
];
/**
 * Options for a host that forbids executable memory, as a lack of WebAssembly suggests: Node starts there only with the first
 * one. Older versions then warn that it implies the second one, and newer ones have no such option.
 */
const JITLESS_OPTIONS =
  Number.parseInt(process.versions.node, 10) < 24 ? ['--jitless', '--no-expose-wasm'] : ['--jitless'];
/**
 * Settings of the GNU C library: one arena for all threads, trimmed when its top is free. After 600 mixed renders a process
 * holds 230 MiB instead of 290.
 */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: String(8 * 2 ** 20) };
/**
 * Number by which a worker's priority is lower than its parent's. On two overloaded cores, 99% of refusals then take at most 20
 * ms, without it 2 s.
 */
const NICENESS = 5;

/** Returns what starts processes behind `walls`; rejects with the reason why there can be none. */
export async function createLauncher(program: ProgramOptions, walls: LocalWalls): Promise<Launch> {
  if (!walls.namespaces && !walls.permissions) return plainLauncher(program);
  const entry = pathOf(program.entry);
  const allowed = allowListOf(entry, process.execArgv);
  const wrap = walls.namespaces && (await createJail(walls.namespaces, allowed));
  return (options) => start(options, program, { walls, allowed, wrap });
}

/** Starts processes without walls. */
export function plainLauncher(program: ProgramOptions): Launch {
  return (options) => start(options, program);
}

interface Behind {
  readonly walls: LocalWalls;
  readonly allowed: AllowList;
  readonly wrap: ((command: ProcessCommand) => ProcessCommand) | undefined;
}

const pathOf = (entry: string | URL) => (/^file:/.test(String(entry)) ? fileURLToPath(entry) : String(entry));

function start({ imageCacheBytes, isNice }: LaunchOptions, program: ProgramOptions, behind?: Behind): Launched {
  const entry = pathOf(program.entry);
  // as TypeScript source, the module needs the loader that this process runs with
  const loader = entry.endsWith('.ts') ? process.execArgv : [];
  const wrap = behind?.wrap;
  const permissions = behind?.walls.permissions
    ? permissionOptions(
        [...behind.allowed.paths, ...behind.allowed.links.keys(), '/proc/self'],
        // a loader and the watch for the parent are threads
        loader.length > 0 || !wrap,
      )
    : [];
  const command = {
    file: process.execPath,
    args: [
      // Bun has none of Node's options
      ...(process.versions.bun ? [] : NODE_OPTIONS),
      ...(typeof WebAssembly === 'undefined' ? JITLESS_OPTIONS : []),
      ...permissions,
      ...loader,
      entry,
      ...(imageCacheBytes === undefined ? [] : [`${IMAGE_CACHE_ARGUMENT}${imageCacheBytes}`]),
      ...(wrap ? [KILLED_BY_KERNEL] : []),
    ],
  };
  const { file, args } = wrap ? wrap(command) : command;
  const child = spawn(file, args, {
    env: ENVIRONMENT,
    // the parent's working folder may be removed; this one exists as long as Node is installed
    cwd: dirname(process.execPath),
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const streams = [child.stdin, child.stdout] as unknown as Socket[];
  (child.stderr as unknown as Socket).unref?.();
  const niceness = isNice ? NICENESS : 0;
  if (child.pid !== undefined) yieldTo(child.pid, niceness);
  let inner: number | undefined;
  // the end of a process is told once
  let isSettled = false;
  return {
    input: child.stdin,
    output: child.stdout,
    errors: child.stderr,
    pid() {
      if (!wrap || child.pid === undefined) return child.pid;
      if (inner === undefined && child.exitCode === null) {
        inner = onlyChildOf(child.pid);
        // the wrapper's own may have come too late for the process within
        if (inner !== undefined) yieldTo(inner, niceness);
      }
      return inner ?? child.pid;
    },
    kill: () => void child.kill('SIGKILL'),
    ref() {
      child.ref();
      for (const stream of streams) stream.ref?.();
    },
    unref() {
      child.unref();
      for (const stream of streams) stream.unref?.();
    },
    onEnd(listener) {
      const end = (reason: string) => {
        if (isSettled) return;
        isSettled = true;
        listener(reason);
      };
      child.once('exit', (code, signal) => end(signal ?? `exit code ${code}`));
      // a process that could not be started does not exit
      child.on('error', (error) => child.pid === undefined && end(error.message));
    },
  };
}

/** Has the process yield processor time to its parent, and be killed before it when memory runs out, where possible. */
function yieldTo(pid: number, niceness: number): void {
  lowerPriority(pid, niceness);
  try {
    if (process.platform === 'linux') writeFileSync(`/proc/${pid}/oom_score_adj`, String(OOM_SCORE));
  } catch {
    // the process has ended, or the system does not allow it
  }
}

/** The process that unshare waits for. */
function onlyChildOf(pid: number): number | undefined {
  try {
    const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
    return child === '' ? undefined : Number(child);
  } catch {
    return undefined;
  }
}
