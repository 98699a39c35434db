// `platen doctor`: prints what the host offers and what follows from it.
import { readSettings, type Settings } from '../../settings.js';
import { checkDataFolder, checkFonts, checkTemporaryFolder } from '../doctor/files.js';
import { finding, type HostFinding, reasonOf } from '../doctor/finding.js';
import { checkProcesses, checkRender } from '../doctor/renders.js';
import {
  checkCertificates,
  checkCores,
  checkLimits,
  checkMemory,
  checkRuntime,
  checkWebAssembly,
} from '../doctor/runtime.js';
import { EXIT, type ExitCode } from '../errors.js';
import { memoryWarning } from '../memory-warning.js';
import { readOptions } from '../parse-options.js';
import { formatJson } from '../print.js';
import { type CliContext, oneLine, write } from '../stdio.js';

const OPTIONS = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;

export const DOCTOR_USAGE = `Usage: platen doctor [--json]

Checks what this host offers, and prints what follows from it, one line each: "ok", "limited" (something does not work,
or not well) or "failed" (renders don't work). It renders a small image, starts a render process and reads the settings
of the service from the environment. It fetches nothing, and leaves no file.

Exit codes: 0 if renders work, 1 if not.
`;

/** Runs the checks. `argv` holds the arguments after `doctor`. */
export async function doctorCommand(argv: readonly string[], context: CliContext): Promise<ExitCode> {
  const { json, help } = readOptions(argv, OPTIONS);
  if (help) {
    await write(context.output, DOCTOR_USAGE);
    return EXIT.done;
  }
  const findings = await examine(context);
  const works = findings.every(({ status }) => status !== 'failed');
  await write(context.output, json ? formatJson({ works, findings }) : findings.map(formatLine).join(''));
  return works ? EXIT.done : EXIT.failed;
}

async function examine({ environment }: CliContext): Promise<HostFinding[]> {
  let settings: Settings | undefined;
  let misconfigured: HostFinding | undefined;
  try {
    settings = readSettings(environment);
  } catch (error) {
    misconfigured = finding('settings', reasonOf(error), 'platen serve does not start');
  }
  const checks: [subject: string, check: () => HostFinding | undefined | Promise<HostFinding>][] = [
    ['runtime', checkRuntime],
    ['WebAssembly', checkWebAssembly],
    ['cores', checkCores],
    ['memory', () => checkMemory((usable) => settings && memoryWarning(settings, usable))],
    ['limits', checkLimits],
    ['fonts', checkFonts],
    ['render', checkRender],
    ['processes', checkProcesses],
    ['https', checkCertificates],
    ['temp folder', checkTemporaryFolder],
    ['settings', () => misconfigured],
  ];
  if (settings) {
    const { STORE_URL, DATA_DIR } = settings;
    checks.push(['data folder', () => checkDataFolder(STORE_URL === undefined ? DATA_DIR : undefined)]);
  }
  const findings: HostFinding[] = [];
  // One check at a time: processes that some checks start would slow down the render.
  for (const [subject, check] of checks) {
    try {
      findings.push(...[await check()].filter((found) => found !== undefined));
    } catch (error) {
      // a runtime with permissions refuses what was not granted
      findings.push(finding(subject, reasonOf(error), 'it could not be checked'));
    }
  }
  return findings;
}

const SUBJECT_WIDTH = 11;

function formatLine({ subject, status, found, effect }: HostFinding): string {
  const line = `${status.padEnd(7)}  ${subject.padEnd(SUBJECT_WIDTH)}  ${found}`;
  return oneLine(effect === undefined ? line : `${line}: ${effect}`);
}
