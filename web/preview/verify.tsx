// Renders with the service, and compares its pixels with those of the preview.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { VerifyAnswer, VerifyBody } from '../../lib/contract/dashboard.js';
import { diffPixels, type PixelDifference } from '../../lib/templates/pixel-diff.js';
import { announce } from '../app/announce.js';
import { ApiError, api } from '../app/api.js';
import { formatBytes, formatCount, formatDuration, formatNumber } from '../app/format.js';
import { workspace } from '../app/session.js';
import { type Engine, showPixels } from '../engine/engine.js';
import type { Picture, Pixels, Source } from '../engine/messages.js';
import { Button } from '../ui/button.js';
import { ErrorAlert } from '../ui/dialog.js';
import { Card } from '../ui/page.js';
import { Badge } from '../ui/value.js';
import type { LivePreview } from './live-preview.js';

interface Result {
  readonly source: Source;
  readonly answer: VerifyAnswer;
  readonly isIdentical: boolean;
  /** Absent if the formats' files don't keep the pixels, or the pictures have different sizes. */
  readonly difference?: PixelDifference;
}

export function Verify({ preview, engine }: { readonly preview: LivePreview; readonly engine: Engine }) {
  const [result, setResult] = useState<Result>();
  const [error, setError] = useState<ApiError>();
  const [isBusy, setBusy] = useState(false);
  const shown = preview.shown.value;
  const run = async () => {
    if (!shown) return;
    setBusy(true);
    setError(undefined);
    const { source } = shown;
    const body: VerifyBody = {
      workspaceId: workspace.value?.id ?? '',
      payload: source.payload,
      ...(source.variables && { variables: source.variables }),
    };
    try {
      const [answer, own] = await Promise.all([
        api.post<VerifyAnswer>('verify', body),
        engine.draw(source, { digest: true }),
      ]);
      const isIdentical = answer.pixelsSha256 === own.pixelsSha256;
      const difference = isIdentical ? undefined : await differenceOf(answer, own);
      setResult({ source, answer, isIdentical, ...(difference && { difference }) });
      announce(isIdentical ? 'Identical' : 'The pictures differ');
    } catch (failure) {
      if (failure instanceof ApiError) setError(failure);
      else if (!(failure instanceof DOMException)) setError(new ApiError(0, { error: (failure as Error).message }));
    } finally {
      setBusy(false);
    }
  };
  const current = result?.source === shown?.source ? result : undefined;
  return (
    <Card
      title="Verify"
      actions={
        <Button size="small" icon="verify" isBusy={isBusy} disabled={!shown || preview.isStale.value} onClick={run}>
          Render with the service
        </Button>
      }
    >
      {error ? (
        <ErrorAlert error={error} />
      ) : current ? (
        <VerifyResult result={current} />
      ) : (
        <p class="faint">
          {result
            ? 'The payload has changed since.'
            : 'Renders the same on the server and compares every pixel. Not charged, not logged; 10 a minute.'}
        </p>
      )}
    </Card>
  );
}

function VerifyResult({ result: { answer, isIdentical, difference } }: { readonly result: Result }) {
  const { width, height, format, sizeBytes, durationMs } = answer;
  return (
    <div class="verify">
      <p class="verify-line">
        {isIdentical ? (
          <Badge kind="success" hasDot>
            Identical
          </Badge>
        ) : (
          <Badge kind="danger" hasDot>
            Different
          </Badge>
        )}
        <Badge>Not charged</Badge>
        <span>
          {width} × {height} {format.toUpperCase()}, {formatBytes(sizeBytes)} in {formatDuration(durationMs)}
        </span>
      </p>
      {!isIdentical && (
        <>
          <p>{difference ? describe(difference) : 'The service’s picture:'}</p>
          {difference && <DifferencePicture difference={difference} />}
          <img
            class="verify-picture"
            alt="From the service"
            width={width}
            height={height}
            src={`data:${answer.mimeType};base64,${answer.base64}`}
          />
        </>
      )}
    </div>
  );
}

function describe({ differing, width, height }: PixelDifference): string {
  const share = (100 * differing) / (width * height);
  return `${formatCount(differing, 'pixel')} of ${formatNumber(width * height)} (${share.toFixed(share < 1 ? 2 : 0)} %) differ, in red:`;
}

function DifferencePicture({ difference }: { readonly difference: PixelDifference }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current) showPixels(canvas.current, difference as Pixels);
  }, [difference]);
  return <canvas ref={canvas} class="verify-picture" role="img" aria-label="Where they differ" />;
}

/** The browser decodes the service's file; only PNG has the pixels that were drawn. */
async function differenceOf(answer: VerifyAnswer, own: Picture): Promise<PixelDifference | undefined> {
  if (answer.format !== 'png') return undefined;
  const bytes = Uint8Array.from(atob(answer.base64), (char) => char.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: answer.mimeType }));
  // both take the same way: a canvas multiplies colours by alpha, which loses some of them
  const ownBitmap = await createImageBitmap(new ImageData(own.data, own.width, own.height));
  return diffPixels(readBack(ownBitmap), readBack(bitmap));
}

function readBack(bitmap: ImageBitmap): ImageData {
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })!;
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, width, height);
}
