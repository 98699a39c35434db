// A badge that tells whether a render succeeded.
import type { RenderLogEntry } from '../../../lib/contract/api/renders.js';
import { Badge } from '../../ui/badge.js';

export function Status({ entry: { status } }: { readonly entry: Pick<RenderLogEntry, 'status'> }) {
  return (
    <Badge kind={status === 'ok' ? 'success' : 'danger'} hasDot>
      {status === 'ok' ? 'OK' : 'Failed'}
    </Badge>
  );
}
