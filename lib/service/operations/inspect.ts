// `POST /v1/inspect`, and `POST /v1/render?dryRun=true`: a render up to painting. It takes no credits and leaves no log entry.
import type { InspectAnswer, Inspection } from '../../contract/api/inspection.js';
import { parseFindingOptions } from '../../contract/api/query.js';
import type { RenderRequest, RequestOutput } from '../../contract/api/request.js';
import { limitWarnings } from '../../contract/messages/issues.js';
import { engineCall } from '../charged-render.js';
import { jsonAnswer } from '../http/answer.js';
import type { ServiceOperation } from '../operation.js';
import type { CheckedPages, ServiceOptions } from '../request.js';
import { documentOf } from './documents.js';
import { findBrandOf } from './find-brand.js';
import { findTemplateOf } from './find-template.js';
import { readRenderRequest } from './render.js';

export function inspectOperation(options: ServiceOptions, output: RequestOutput): ServiceOperation {
  const { store, engine, settings } = options;
  return {
    scope: 'render:write',
    window: 'render',
    maxBodyBytes: settings.MAX_BODY_BYTES,
    async run(call) {
      const findings = parseFindingOptions(call.query);
      const body = await call.json();
      const { payload, warnings } = await readRenderRequest(body, settings, output);
      const { workspace } = call.caller;
      const brand = await findBrandOf(workspace.id, store);
      const { watermark: _, ...plainOptions } = engineCall(call, options, brand);
      const engineOptions = { ...plainOptions, findings };
      const inspectPages = async (document: CheckedPages) => {
        const plan = await engine.planDocument(documentOf(document, workspace.id, options, brand), plainOptions);
        return await plan.inspect(plainOptions);
      };
      const inspectOne = async (request: RenderRequest): Promise<Inspection> => {
        const template =
          request.kind === 'template'
            ? await findTemplateOf(request, workspace.id, store, undefined, brand)
            : undefined;
        const inspected = await engine.inspect(request, template?.record, engineOptions);
        const { findings: measured = [], ...plain } = inspected;
        if (!findings) return plain;
        // the permit was reserved for the first inspection
        const againOptions = { ...engineOptions, permit: undefined };
        const again = async (document: unknown) => {
          const changed = template ? request : (await readRenderRequest(document, settings, output)).payload;
          if (changed.kind === 'pages') return [];
          const { findings: found = [] } = await engine.inspect(changed, template && document, againOptions);
          return found;
        };
        const { completeFindings } = await import('../../findings/fixes/settle.js');
        const settled = await completeFindings(template?.record ?? body, measured, findings, again);
        return { ...plain, findings: settled };
      };
      const inspection = await (payload.kind === 'pages' ? inspectPages(payload) : inspectOne(payload));
      call.context.request.signal.throwIfAborted();
      const { width, height, alt, layers, pages, timings } = inspection;
      const answer: InspectAnswer = {
        success: true,
        width,
        height,
        alt,
        creditsCost: settings.RENDER_CREDIT_COST * (pages?.length ?? 1),
        warnings: limitWarnings(warnings, inspection.warnings),
        layers,
        ...(inspection.findings && { findings: inspection.findings }),
        ...(pages && { pages }),
        timings,
      };
      return jsonAnswer(200, answer);
    },
  };
}
