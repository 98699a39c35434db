// A picture of a comparison, its progress, or the error that prevents it.
import { PixelImage } from '../../preview/difference.js';
import { Alert, Skeleton } from '../../ui/feedback.js';
import type { Drawn } from './use-pictures.js';

interface DrawnPictureProps {
  readonly drawn: Drawn | undefined;
  /** Its accessible name. */
  readonly label: string;
}

export function DrawnPicture({ drawn, label }: DrawnPictureProps) {
  if (!drawn) return <Skeleton height="10rem" />;
  if (drawn instanceof Error) return <Alert>Can’t be drawn: {drawn.message}</Alert>;
  return <PixelImage pixels={drawn} label={label} />;
}
