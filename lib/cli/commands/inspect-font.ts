// `platen fonts inspect FILE|URL` describes a font file, which it reads in a separate process, like all untrusted files.
import '../../node-host.js';
import { createAssets } from '../../assets/loader.js';
import { CodedError, codedError } from '../../errors.js';
import type { FontReport } from '../../fonts/report.js';
import { readRenderSettings } from '../../settings.js';
import { reportFontInProcess } from '../../workers/inspect-asset.js';
import { addressPolicyFrom } from '../assets.js';
import { formatRecord } from '../print.js';
import type { CliContext } from '../stdio.js';

/**
 * Inspects a font. `source` is a file's path or a URL, fetched as renders fetch theirs. Throws RenderError, which names the
 * source.
 */
export async function inspectFont(source: string, text: string | undefined, context: CliContext): Promise<FontReport> {
  const settings = readRenderSettings(context.environment);
  const assets = createAssets({
    timeoutMs: settings.ASSET_TIMEOUT_MS,
    maxBytes: settings.ASSET_MAX_BYTES,
    maxPixels: settings.ASSET_MAX_PIXELS,
    baseDirectory: context.directory,
    allowAddress: addressPolicyFrom(settings),
    explain: true,
  });
  const signal = context.signal && { signal: context.signal };
  const { kind } = assets.source(source, 'font');
  // messages about files that can't be read name them
  const name = kind === 'data' ? 'the data: URL' : source;
  const isNamed = kind === 'file';
  const { bytes } = await assets.file(source, context.signal).catch((cause) => {
    throw isNamed ? cause : withName(name, cause);
  });
  try {
    const options = { timeoutMs: settings.RENDER_TIMEOUT_MS, ...signal };
    return await reportFontInProcess(bytes, text, options);
  } catch (cause) {
    throw withName(name, cause);
  }
}

function withName(name: string, cause: unknown): unknown {
  return cause instanceof CodedError ? codedError(cause.code, `${name}: ${cause.message}`, { cause }) : cause;
}

/** The names that have a line each, and its label. */
const NAMES = [
  ['fontFamily', 'family'],
  ['fontSubfamily', 'style'],
  ['fullName', 'full name'],
  ['version', 'version'],
  ['designer', 'designer'],
  ['copyright', 'copyright'],
] as const;

/** Writes a line for each property that the font has. */
export function formatFontReport(report: FontReport): string {
  const { names, weights, axes, features, color, scripts, languages, licence, missing } = report;
  const { preferredFamily, preferredSubfamily, ...others } = names;
  const lines: Record<string, string> = {
    ...others,
    ...(preferredFamily !== undefined && { fontFamily: preferredFamily }),
    ...(preferredSubfamily !== undefined && { fontSubfamily: preferredSubfamily }),
  };
  const fields: [string, string | undefined][] = [
    ...NAMES.map(([key, label]): [string, string | undefined] => [label, lines[key]]),
    ['format', report.faces > 1 ? `${report.format}, the first of ${report.faces} faces` : report.format],
    ['weight', `${weights.join(' to ')}${report.style === 'italic' ? ', italic' : ''}`],
    ['axes', listOf(axes.map((axis) => `${axis.tag} ${axis.min} to ${axis.max} (default ${axis.default})`))],
    ['features', listOf(features)],
    ['colour', listOf(color)],
    ['scripts', listOf(scripts)],
    ['languages', listOf(languages.map(({ name }) => name))],
    ['glyphs', String(report.glyphs)],
    ['characters', String(report.characters)],
    ['licence', listOf([licence.text, licence.url].filter((part) => part !== undefined))],
    ['embedding', licence.embedding],
    ['lacks', missing && (listOf(missing.map(characterName)) ?? 'nothing of the text')],
  ];
  return formatRecord(Object.fromEntries(fields.filter(([, value]) => value !== undefined)));
}

const listOf = (parts: readonly string[]) => (parts.length === 0 ? undefined : parts.join(', '));

/** `字 (U+5B57)`. */
function characterName(characters: string): string {
  const codes = [...characters].map((each) => `U+${each.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`);
  return `${characters} (${codes.join(' ')})`;
}
