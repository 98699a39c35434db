// `platen inspect PAYLOAD`: what a render would draw, as a table or JSON, without drawing it.
import type { InspectedBox, Inspection, LayerInspection } from '../../contract/api/inspection.js';
import type { InspectCommand } from '../args.js';
import { EXIT, type ExitCode } from '../errors.js';
import { formatJson, formatTable, type PrintedFields } from '../print.js';
import { readSource } from '../source.js';
import { type CliContext, findingLine, oneLine, write } from '../stdio.js';

/** Prints the inspection. Throws errors that `report` can format. */
export async function inspectCommand(command: InspectCommand, context: CliContext): Promise<ExitCode> {
  const { payload, options, renderer, warnings: ofMarkup } = await readSource(command, context);
  const measures = command.findings && { findings: true, ...command.findings };
  const inspection = await renderer.inspect(payload, { ...options, ...measures });
  if (command.json) {
    await write(context.output, formatJson({ ...inspection, warnings: [...ofMarkup, ...inspection.warnings] }));
    return EXIT.done;
  }
  const { width, height, alt, warnings, findings = [], layers, timings } = inspection;
  await write(context.errors, [...ofMarkup, ...warnings].map((warning) => findingLine('warning', warning)).join(''));
  const found = findings.map(({ severity, code, path, message, fix }) =>
    oneLine(`${severity}: ${path}: ${message} (${code}${fix ? ', has a fix' : ''})`),
  );
  await write(context.errors, found.join(''));
  const { check, load, layout } = timings;
  const times = `check ${check} ms, load ${load} ms, layout ${layout} ms`;
  await write(context.output, oneLine(`${command.source}: ${width} × ${height} pixels; ${times}`));
  await write(context.output, formatTable(rowsOf(layers), ['layer', 'type', 'box', 'ink', 'details'], 'no layers'));
  if (alt !== '') await write(context.output, oneLine(`alt: ${alt}`));
  return EXIT.done;
}

function rowsOf(layers: Inspection['layers']): PrintedFields[] {
  return layers.map((layer) => ({
    layer: layer.id === undefined ? layer.path : `${layer.path} ${JSON.stringify(layer.id)}`,
    type: layer.type,
    box: boxText(layer.box),
    ink: boxText(layer.inkBox),
    details: detailsOf(layer).join(', '),
  }));
}

/** Lists the facts that the other columns leave out. */
function detailsOf(layer: LayerInspection): string[] {
  const { visible, alt, fontSize, lines, moreLines = 0, fonts = [], overflow, format, natural, source, bytes } = layer;
  return [
    ...(visible === false ? ['hidden'] : []),
    ...(fontSize === undefined ? [] : [`${fontSize} px`]),
    ...(lines === undefined ? [] : [countOf(lines.length + moreLines, 'line')]),
    ...fonts,
    ...(overflow ? ['overflows'] : []),
    ...(natural && format !== undefined ? [`${format} ${natural[0]} × ${natural[1]}`] : []),
    ...(source ? [`shows ${boxText(source)}`] : []),
    ...(bytes === undefined ? [] : [countOf(bytes, 'byte')]),
    ...(alt === undefined ? [] : [alt === '' ? 'decoration' : `alt ${JSON.stringify(alt)}`]),
  ];
}

/** `200 × 100 at 10, 20`; one without a size paints nothing. */
function boxText([x, y, width, height]: InspectedBox): string {
  return width === 0 && height === 0 ? 'none' : `${width} × ${height} at ${x}, ${y}`;
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
