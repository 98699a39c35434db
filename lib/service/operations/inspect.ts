// `POST /v1/inspect`, and `POST /v1/render?dryRun=true`: a render up to painting. It takes no credits and leaves no log entry.
import type { InspectAnswer } from '../../contract/api/inspection.js';
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
      const { payload, warnings } = await readRenderRequest(await call.json(), settings, output);
      const { workspace } = call.caller;
      const brand = await findBrandOf(workspace.id, store);
      const { watermark: _, ...engineOptions } = engineCall(call, options, brand);
      const inspectPages = async (document: CheckedPages) => {
        const plan = await engine.planDocument(documentOf(document, workspace.id, options, brand), engineOptions);
        return await plan.inspect(engineOptions);
      };
      const inspectOne = async (request: RenderRequest) => {
        const template =
          request.kind === 'template'
            ? await findTemplateOf(request, workspace.id, store, undefined, brand)
            : undefined;
        return await engine.inspect(request, template?.record, engineOptions);
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
        ...(pages && { pages }),
        timings,
      };
      return jsonAnswer(200, answer);
    },
  };
}
