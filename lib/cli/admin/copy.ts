// `platen store copy`: copies everything from one store to another (data folder or database) with a progress bar.
import { resolve } from 'node:path';
import { type CopyResult, copyStore, type OpenCopyEndpoint } from '../../store/copy/index.js';
import { Progress } from '../batch/progress.js';
import { UsageError } from '../parse-options.js';
import { type CliContext, oneLine, write } from '../stdio.js';

/** `from` and `to` are folders or postgres:// URLs. Throws StoreError and UsageError. */
export async function copyCommand(from: string, to: string, context: CliContext): Promise<CopyResult[]> {
  const [source, target] = [from, to].map((location) =>
    isDatabaseUrl(location) ? location : resolve(context.directory, location),
  );
  if (source === target) throw new UsageError('--from and --to are the same store');
  const warn = (message: string) => void write(context.errors, oneLine(`warning: ${message}`));
  const finalBar = new Progress(context.errors, undefined);
  // The total is known only once copying starts.
  let current: { readonly bar: Progress; readonly total: number } = { bar: finalBar, total: -1 };
  const copied = await copyStore(
    await openEndpoint(source, true, warn),
    await openEndpoint(target, false, warn),
    async (done, total) => {
      if (current.total !== total) current = { bar: new Progress(context.errors, total), total };
      await current.bar.show(done, 0);
    },
  );
  if (context.errors.isTTY) await finalBar.print('');
  return copied;
}

async function openEndpoint(
  location: string,
  isSource: boolean,
  warn: (message: string) => void,
): Promise<OpenCopyEndpoint> {
  if (isDatabaseUrl(location)) {
    return (await import('../../store/copy/database.js')).databaseEndpoint(location, isSource, warn);
  }
  return (await import('../../store/copy/folder.js')).folderEndpoint(location, !isSource, warn);
}

function isDatabaseUrl(location: string): boolean {
  return /^postgres(ql)?:\/\//.test(location);
}
