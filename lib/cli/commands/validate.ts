// `platen validate PAYLOAD`: reports errors and warnings without network access. Draws nothing but payloads with codes, to
// read them back.

import { limitWarnings } from '../../contract/messages/issues.js';
import { failingWarnings, strictnessOf } from '../../contract/messages/strictness.js';
import { listSamples } from '../../contract/template/samples.js';
import { validatePayload } from '../../contract/validate.js';
import { countDetails, limitDetails } from '../../errors.js';
import { loadDataFor } from '../../load-data.js';
import { readRenderSettings } from '../../settings.js';
import type { Findings } from '../../templates/samples.js';
import type { ValidateCommand } from '../args.js';
import { checkAssets } from '../assets.js';
import { EXIT, type ExitCode } from '../errors.js';
import { loadIcons } from '../icons.js';
import { readPayloadOrMarkup } from '../markup.js';
import { type CliContext, findingLine, write } from '../stdio.js';

/** Prints the findings; returns EXIT.failed if the payload is invalid. Throws if it can't be read or parsed. */
export async function validate(command: ValidateCommand, context: CliContext): Promise<ExitCode> {
  const { source, json } = command;
  const settings = readRenderSettings(context.environment);
  const { MAX_LAYERS: maxLayers } = settings;
  const { value, baseDirectory, warnings: ofMarkup } = await readPayloadOrMarkup(command, context);
  await loadDataFor(value);
  const icons = (await loadIcons(settings))?.sets;
  const schemaFindings = validatePayload(value, { maxLayers });
  const assetFindings = await Promise.all(
    schemaFindings.layers.map((layer) => checkAssets(layer, { baseDirectory, icons })),
  );
  const errors = [...schemaFindings.errors, ...assetFindings.flatMap((findings) => findings.errors)];
  if (errors.length === 0 && schemaFindings.kind === 'canvas') {
    const { validateScene } = await import('../../templates/validate.js');
    errors.push(...validateScene(value, { maxLayers, icons, checkUrl() {} }).errors);
  }
  let ofData: Findings = { errors: [], warnings: [] };
  if (errors.length === 0 && schemaFindings.kind === 'template') {
    const { dataFindings } = await import('../../templates/data/data-room.js');
    ofData = dataFindings(value, maxLayers);
    errors.push(...ofData.errors);
  }
  let ofSamples: Findings = { errors: [], warnings: [] };
  if (errors.length === 0 && schemaFindings.kind === 'template' && listSamples(value).length > 0) {
    const { validateSamples } = await import('../../templates/samples.js');
    ofSamples = validateSamples(value, { maxLayers, icons, checkUrl() {} });
    errors.push(...ofSamples.errors);
  }
  const codes = schemaFindings.layers.some(({ layer }) => layer.type === 'qrcode' || layer.type === 'barcode');
  const unreadable =
    codes && errors.length === 0
      ? await (await import('../verify-codes.js')).verifyCodes(value, settings, baseDirectory)
      : [];
  const warnings = limitWarnings(
    ofMarkup,
    schemaFindings.warnings,
    ...assetFindings.map((findings) => findings.warnings),
    ofData.warnings,
    ofSamples.warnings,
    unreadable,
  );
  const valid = errors.length === 0 && failingWarnings(warnings, strictnessOf(command)).length === 0;
  if (json) {
    await write(context.output, `${JSON.stringify({ valid, errors: limitDetails(errors), warnings }, null, 2)}\n`);
  } else {
    const lines = [
      ...limitDetails(errors).map((error) => findingLine('error', error)),
      ...warnings.map((warning) => findingLine('warning', warning)),
    ];
    await write(context.errors, lines.join(''));
    await write(
      context.output,
      `${source}: ${count(countDetails(errors), 'error')}, ${count(warnings.length, 'warning')}\n`,
    );
  }
  return valid ? EXIT.done : EXIT.failed;
}

const count = (n: number, noun: string) => `${n === 0 ? 'no' : n} ${noun}${n === 1 ? '' : 's'}`;
