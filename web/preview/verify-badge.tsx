// Tells whether the service drew the same picture.
import { Badge } from '../ui/badge.js';
import type { VerifyResult } from './verification.js';

export function VerifyBadge({ isIdentical }: Pick<VerifyResult, 'isIdentical'>) {
  return (
    <Badge kind={isIdentical ? 'success' : 'danger'} hasDot>
      {isIdentical ? 'Identical' : 'Different'}
    </Badge>
  );
}
