// `render store copy`: everything from one store to another, a data folder or a database, with a bar on a terminal.
import { resolve } from 'node:path';
import { type CopyResult, copyStore, type OpenCopyEndpoint } from '../../store/copy/index.js';
import { Progress } from '../batch/progress.js';
import { UsageError } from '../parse-options.js';
import { type CliContext, oneLine, write } from '../stdio.js';

/** Copies `from` to `to`, each a folder or a URL such as postgres://…. Throws StoreError and UsageError. */
export async function copyCommand(from: string, to: string, terminal: CliContext): Promise<CopyResult[]> {
  const [source, target] = [from, to].map((place) => (isDatabase(place) ? place : resolve(terminal.directory, place)));
  if (source === target) throw new UsageError('--from and --to are the same place');
  const warn = (message: string) => void write(terminal.errors, oneLine(`warning: ${message}`));
  const bar = new Progress(terminal.errors, undefined);
  let shown: { readonly bar: Progress; readonly total: number } = { bar, total: -1 };
  const copied = await copyStore(
    await endOf(source, true, warn),
    await endOf(target, false, warn),
    async (done, total) => {
      if (shown.total !== total) shown = { bar: new Progress(terminal.errors, total), total };
      await shown.bar.show(done, 0);
    },
  );
  if (terminal.errors.isTTY) await bar.print('');
  return copied;
}

async function endOf(place: string, source: boolean, warn: (message: string) => void): Promise<OpenCopyEndpoint> {
  if (isDatabase(place)) return (await import('../../store/copy/database.js')).databaseEndpoint(place, source, warn);
  return (await import('../../store/copy/folder.js')).folderEndpoint(place, !source, warn);
}

function isDatabase(place: string): boolean {
  return /^postgres(ql)?:\/\//.test(place);
}
