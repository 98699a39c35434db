// `platen lint FILE|ID`: the faults of a payload or template, in each of its sizes and with each of its sample sets.
import { type Finding, type FindingOptions, SEVERITIES, type Severity } from '../../contract/messages/findings.js';
import type { Payload } from '../../contract/payload.js';
import { isObject } from '../../contract/schema/fields.js';
import { isTemplate } from '../../contract/template/record-layers.js';
import { listSamples } from '../../contract/template/samples.js';
import { loadDataFor } from '../../load-data.js';
import { readRenderSettings, readSettings } from '../../settings.js';
import { lintTemplate } from '../../templates/lint.js';
import { AdminSession } from '../admin/command.js';
import { type DesignSource, readDesign, withAssets } from '../admin/compare.js';
import { parseFindingOptions } from '../args.js';
import { EXIT, type ExitCode } from '../errors.js';
import { parseArgv, UsageError } from '../parse-options.js';
import { formatJson } from '../print.js';
import { rendererOptions } from '../source.js';
import { type CliContext, oneLine, write } from '../stdio.js';

const OPTIONS = {
  'fail-on': { type: 'string' },
  'min-readable': { type: 'string' },
  'safe-area': { type: 'string' },
  ignore: { type: 'string', multiple: true },
  data: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

export const LINT_USAGE = `Usage: platen lint <payload.json | template.json | - | template-id> [--fail-on SEVERITY] [--json]

Lists the faults of a payload or template that can be measured (docs/findings.md), and probable mistakes in templates. A
template is looked at in each of its sizes and with each of its sample sets.

      --fail-on SEVERITY  error, warning or info: the exit code is 1 from it on; default: warning
      --min-readable N    the smallest size of text that can be read, in pixels
      --safe-area NAME    the platform whose margins texts keep free, such as instagram-story
      --ignore CODE,…     findings that are left out; repeatable
      --data DIR          the folder of the store that has the template; default: the setting DATA_DIR
      --json              print JSON
`;

/** A finding, or a probable mistake in a template, and the size and sample set that it was seen in first. */
export interface LintEntry extends Omit<Finding, 'code'> {
  readonly code: Finding['code'] | 'template';
  readonly size?: string;
  readonly sample?: string;
}

/** Prints the findings. `argv` holds the arguments after `lint`. Throws errors that `report` can format. */
export async function lintCommand(argv: readonly string[], context: CliContext): Promise<ExitCode> {
  const { values, positionals } = parseArgv(argv, OPTIONS);
  if (values.help) {
    await write(context.output, LINT_USAGE);
    return EXIT.done;
  }
  const [source, ...others] = positionals;
  if (source === undefined || others.length > 0) {
    throw new UsageError('expected a payload or template: a JSON file, - for standard input, or a template id');
  }
  const failOn = severityNamed(values['fail-on'] ?? 'warning');
  const options = parseFindingOptions({
    minReadable: values['min-readable'],
    safeArea: values['safe-area'],
    ignore: values.ignore,
  });
  const session = new AdminSession(context, readSettings(context.environment), values.data);
  const entries = await lintDesign(await readDesign(source, session), session, options);
  await write(context.output, values.json ? formatJson(entries) : textOf(entries));
  return isFailed(entries, failOn) ? EXIT.failed : EXIT.done;
}

function severityNamed(name: string): Severity {
  const severity = SEVERITIES.find((each) => each === name);
  if (severity !== undefined) return severity;
  throw new UsageError(`--fail-on: received "${name}", expected error, warning or info`);
}

/** Whether a finding is at least as bad. */
export function isFailed(entries: readonly LintEntry[], failOn: Severity): boolean {
  return entries.some(({ severity }) => SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(failOn));
}

/** The findings of a design in each size and with each sample set. Each is listed once, where it was seen first. */
export async function lintDesign(
  design: DesignSource,
  session: AdminSession,
  options: FindingOptions = {},
): Promise<LintEntry[]> {
  const { context, settings } = session;
  const { createRenderer } = await import('../../index.js');
  await loadDataFor(design.value);
  const mistakes = isTemplate(design.value) ? lintTemplate(design.value, { maxLayers: settings.MAX_LAYERS }) : [];
  const entries = new Map<string, LintEntry>();
  const add = (entry: LintEntry) => {
    const key = `${entry.code} ${entry.path} ${entry.code === 'template' ? entry.message : ''}`;
    if (!entries.has(key)) entries.set(key, entry);
  };
  for (const { path, message } of mistakes) add({ code: 'template', severity: 'warning', path, message });
  const { value, fonts } = await withAssets(design, session);
  const { baseDirectory } = design;
  const renderer = createRenderer({
    ...rendererOptions(readRenderSettings(context.environment)),
    baseDirectory,
    fonts,
  });
  try {
    for (const { size, sample, variables } of casesOf(value)) {
      const given = { ...(size !== undefined && { size }), ...(variables && { variables }) };
      const { findings = [] } = await renderer.inspect(value as Payload, { findings: true, ...options, ...given });
      for (const finding of findings) {
        add({ ...finding, ...(size !== undefined && { size }), ...(sample !== undefined && { sample }) });
      }
    }
  } finally {
    await renderer.close();
  }
  const rank = ({ severity }: LintEntry) => SEVERITIES.indexOf(severity);
  return [...entries.values()].sort((one, other) => rank(one) - rank(other));
}

interface LintCase {
  readonly size?: string | undefined;
  readonly sample?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** The defaults and each sample set, in the template's own size and in its others. */
function casesOf(value: unknown): LintCase[] {
  if (!isTemplate(value)) return [{}];
  const { sizes } = value as { readonly sizes?: unknown };
  const names: (string | undefined)[] = [undefined, ...(isObject(sizes) ? Object.keys(sizes) : [])];
  const samples = listSamples(value);
  return names.flatMap((size) => [
    { size },
    ...samples
      .filter((each) => each.size === undefined || each.size === size)
      .map(({ name, variables }) => ({ size, sample: name, variables })),
  ]);
}

function textOf(entries: readonly LintEntry[]): string {
  if (entries.length === 0) return 'no findings\n';
  return entries
    .map(({ severity, path, message, code, size, sample, fix }) => {
      const where = [
        ...(size === undefined ? [] : [`size ${size}`]),
        ...(sample === undefined ? [] : [`sample ${sample}`]),
        ...(fix ? ['has a fix'] : []),
      ];
      return oneLine(`${severity}: ${path}: ${message} [${[code, ...where].join(', ')}]`);
    })
    .join('');
}
