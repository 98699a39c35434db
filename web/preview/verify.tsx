// Shows the service's picture beside the preview.
import { useMemo } from 'preact/hooks';
import { formatBytes, formatDuration } from '../app/format.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { ErrorAlert } from '../ui/error-alert.js';
import { Card } from '../ui/page.js';
import { Difference } from './difference.js';
import type { PreviewParts } from './use-preview.js';
import { createVerification, type Verification, type VerifyResult } from './verification.js';
import { VerifyBadge } from './verify-badge.js';

/** The card of Playground, with its button. */
export function Verify({ preview, engine }: PreviewParts) {
  const verification = useMemo(() => createVerification({ preview, engine }), [preview, engine]);
  const { isBusy, isReady, run } = verification;
  return (
    <Card
      title="Verify"
      actions={
        <Button size="small" icon="verify" isBusy={isBusy.value} disabled={!isReady.value} onClick={run}>
          Render with the service
        </Button>
      }
    >
      <VerifyOutcome verification={verification} />
    </Card>
  );
}

/** Shows the result of a verification, or explains its purpose. */
export function VerifyOutcome({ verification }: { readonly verification: Verification }) {
  const outcome = verification.outcome.value;
  if (!outcome) {
    return (
      <p class="faint">
        {verification.isOutdated.value
          ? 'The picture has changed since.'
          : 'Renders the same on the server and compares every pixel. Not charged, not logged; 10 a minute.'}
      </p>
    );
  }
  return 'answer' in outcome ? <Result result={outcome} /> : <ErrorAlert error={outcome} />;
}

function Result({ result: { answer, isIdentical, difference } }: { readonly result: VerifyResult }) {
  const { width, height, format, sizeBytes, durationMs } = answer;
  return (
    <div class="verify">
      <p class="verify-line">
        <VerifyBadge isIdentical={isIdentical} />
        <Badge>Not charged</Badge>
        <span>
          {width} × {height} {format.toUpperCase()}, {formatBytes(sizeBytes)} in {formatDuration(durationMs)}
        </span>
      </p>
      {!isIdentical && (
        <>
          {difference ? <Difference difference={difference} /> : <p>The service’s picture:</p>}
          <img
            class="pixel-image"
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
