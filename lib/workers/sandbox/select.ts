// Chooses the walls for the render processes of a server: the best that start here.
import { stripVTControlCharacters } from 'node:util';
import { WorkerProcess, type WorkerProcessOptions } from '../worker-process.js';
import { createLauncher, type Launch, type ProgramOptions } from './launch.js';
import { HAS_PERMISSIONS, NO_PERMISSIONS_REASON } from './permissions.js';
import { type LocalWalls, NO_WALLS, SandboxError, type SandboxMode, type Wall, wallsOf } from './walls.js';

export interface Sandbox {
  readonly walls: readonly Wall[];
  readonly launch: Launch;
  /** The process that showed that the walls stand, for the pool to use; undefined if none could be started at all. */
  readonly first: WorkerProcess | undefined;
  /** Reasons why better walls are missing, one line each. */
  readonly reasons: readonly string[];
}

/**
 * Starts one process behind each kind of walls, the best first, until one is ready. Throws SandboxError for `require` when
 * there are no namespaces.
 */
export async function selectSandbox(
  mode: SandboxMode,
  program: ProgramOptions,
  options: Omit<WorkerProcessOptions, 'entry' | 'launch'>,
): Promise<Sandbox> {
  const reasons = mode === 'off' || NO_PERMISSIONS_REASON === undefined ? [] : [NO_PERMISSIONS_REASON];
  for (const walls of candidatesFor(mode, String(program.entry).endsWith('.ts'))) {
    const lines: string[] = [];
    const report = (line: string) => void lines.push(line);
    try {
      const launch = await createLauncher(program, walls);
      let isChosen = false;
      const first = new WorkerProcess({
        ...options,
        launch,
        report: (line) => (isChosen ? options.report(line) : report(line)),
      });
      await first.ready;
      isChosen = true;
      for (const line of lines) options.report(line);
      return { walls: wallsOf(walls), launch, first, reasons };
    } catch (error) {
      const names = wallsOf(walls).join(' and ') || 'no walls';
      reasons.push(`${names}: ${oneLine(lines.join(' ')) || (error as Error).message}`);
    }
  }
  if (mode === 'require') {
    throw new SandboxError(
      `RENDER_SANDBOX=require: render processes can't have namespaces here (${reasons.join('; ')}); ` +
        'allow them, or set RENDER_SANDBOX=auto',
    );
  }
  // no process starts now, perhaps for want of memory, so the pool goes on trying
  const walls = mode === 'off' ? NO_WALLS : { permissions: HAS_PERMISSIONS && !String(program.entry).endsWith('.ts') };
  return { walls: wallsOf(walls), launch: await createLauncher(program, walls), first: undefined, reasons };
}

/** `isSource` marks TypeScript, whose loader writes to its cache, which the permission model forbids. */
function candidatesFor(mode: SandboxMode, isSource: boolean): LocalWalls[] {
  if (mode === 'off') return [NO_WALLS];
  const kinds =
    process.platform !== 'linux' ? [] : process.getuid?.() === 0 ? (['root', 'user'] as const) : (['user'] as const);
  const permissions = HAS_PERMISSIONS && !isSource;
  const jails = kinds.map((namespaces) => ({ namespaces, permissions }));
  return mode === 'require' ? jails : [...jails, ...(permissions ? [{ permissions }] : []), NO_WALLS];
}

const MAX_REASON_LENGTH = 300;

/** Deno colours its messages. */
function oneLine(text: string): string {
  return stripVTControlCharacters(text).replace(/\s+/g, ' ').trim().slice(0, MAX_REASON_LENGTH);
}
