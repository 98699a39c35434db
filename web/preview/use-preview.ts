// Holds the engine and the live preview of a page while it is open.
import { useEffect, useMemo } from 'preact/hooks';
import { session, workspace } from '../app/session.js';
import { createEngine, type Engine } from '../engine/engine.js';
import { createLivePreview, type LivePreview } from './live-preview.js';

export interface PreviewParts {
  readonly engine: Engine;
  readonly preview: LivePreview;
}

export function usePreview(): PreviewParts {
  const { id = '', plan } = workspace.value ?? {};
  const { watermark, maxLayers = 500 } = session.value ?? {};
  const parts = useMemo(() => {
    const engine = createEngine({ workspaceId: id, maxLayers, ...(plan === 'free' && watermark && { watermark }) });
    return { engine, preview: createLivePreview(engine) };
  }, [id, plan, watermark, maxLayers]);
  useEffect(() => () => parts.engine.close(), [parts]);
  return parts;
}
