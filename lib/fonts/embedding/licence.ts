// What the maker of a font allows documents to do with it (OpenType, "OS/2", fsType).
import type { Face } from '../../text/face.js';
import { viewOf } from '../sfnt.js';

/** Bits of fsType: restricted licence, no subsetting, bitmaps only. */
const RESTRICTED = 0x0002;
const EDITABLE_OR_PREVIEW = 0x000c;
const NO_SUBSETTING = 0x0100;
const BITMAPS_ONLY = 0x0200;

export interface FontLicence {
  readonly fsType: number;
  readonly forbidsEmbedding: boolean;
  readonly forbidsSubsetting: boolean;
}

export function licenceOf(face: Face): FontLicence {
  const os2 = face.table('OS/2');
  const fsType = os2 && os2.length >= 10 ? viewOf(os2).getUint16(8) : 0;
  // the least restrictive of several bits counts
  const isRestricted = (fsType & RESTRICTED) !== 0 && (fsType & EDITABLE_OR_PREVIEW) === 0;
  return {
    fsType,
    forbidsEmbedding: isRestricted || (fsType & BITMAPS_ONLY) !== 0,
    forbidsSubsetting: (fsType & NO_SUBSETTING) !== 0,
  };
}
