// A command line → an exit code. What a command doesn't need is not loaded: --help reads neither zod nor the engine.
import { isAdmin } from './adminwords.js';
import { parseCommand } from './arguments.js';
import type { ExitCode } from './report.js';
import { type Terminal, write } from './terminal.js';

/** Runs the command that `words` (without the program's own name) ask for. Never throws: failures are printed. */
export async function main(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    if (isAdmin(words)) return await (await import('./admin.js')).admin(words, terminal);
    const [first, ...rest] = words;
    if (first === 'serve') return await (await import('./serve.js')).serveCommand(rest, terminal);
    if (first === 'fonts') return await (await import('./fonts.js')).fontsCommand(rest, terminal);
    const command = parseCommand(words);
    switch (command.kind) {
      case 'help':
        await write(terminal.output, (await import('./usage.js')).USAGE);
        return 0;
      case 'version':
        await write(terminal.output, `${(await import('./usage.js')).version()}\n`);
        return 0;
      case 'render':
        return await (await import('./draw.js')).draw(command, terminal);
      case 'batch':
        return await (await import('./batch.js')).batch(command, terminal);
      case 'validate':
        return await (await import('./validate.js')).validate(command, terminal);
    }
  } catch (error) {
    const { lines, code } = (await import('./report.js')).report(error);
    await write(terminal.errors, lines);
    return code;
  }
}
