// Shows the picture's file size in each format. Encoding takes much longer than drawing, so it waits until nothing changes.
import { useEffect, useState } from 'preact/hooks';
import { formatBytes } from '../app/format.js';
import type { Engine } from '../engine/engine.js';
import type { Source } from '../engine/messages.js';
import { FORMATS } from './formats.js';
import type { Format, LivePreview } from './live-preview.js';

/** Milliseconds without a change after which files are encoded. */
const IDLE_MS = 800;

type Size = number | 'failed';

interface Sizes {
  readonly source: Source;
  readonly quality: number | undefined;
  readonly sizes: ReadonlyMap<Format, Size>;
}

export interface FileSizesProps {
  readonly preview: LivePreview;
  readonly engine: Engine;
  /** The format to mark, in place of the payload's. */
  readonly chosen?: Format;
  /** Overrides the payload's quality. */
  readonly quality?: number | undefined;
}

export function FileSizes({ preview, engine, chosen, quality }: FileSizesProps) {
  const source = preview.latestPicture.value?.source;
  const marked = chosen ?? preview.latestPicture.value?.format;
  const [measured, setMeasured] = useState<Sizes>();
  useEffect(() => {
    if (!source) return;
    const controller = new AbortController();
    const { signal } = controller;
    const measure = async () => {
      const sizes = new Map<Format, Size>();
      for (const { id } of FORMATS) {
        const options = { format: id, use: 'size' as const, signal, ...(quality !== undefined && { quality }) };
        const size = await engine.encode(source, options).then(
          ({ bytes }) => bytes.length,
          () => 'failed' as const,
        );
        if (signal.aborted) return;
        sizes.set(id, size);
        setMeasured({ source, quality, sizes: new Map(sizes) });
      }
    };
    const timer = setTimeout(measure, IDLE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [source, quality, engine]);

  const isCurrent = measured?.source === source && measured?.quality === quality;
  return (
    <dl class="figures" aria-label="File sizes">
      {FORMATS.map(({ id, name }) => {
        const size = isCurrent ? measured?.sizes.get(id) : undefined;
        return (
          <div key={id} class={id === marked ? 'figure figure-chosen' : 'figure'}>
            <dt>{name}</dt>
            <dd>
              {size === undefined ? <span class="figure-waiting">…</span> : size === 'failed' ? '–' : formatBytes(size)}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
