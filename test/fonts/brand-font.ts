// A font whose family is not bundled: Inter, bold unless another weight is given, under the name Brand.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../checkout.js';

export function brandFont(weight: 400 | 700 = 700): Buffer {
  const bytes = readFileSync(join(ROOT, `fonts/inter/inter-${weight}.ttf`));
  // names are UTF-16BE
  const [from, to] = ['Inter', 'Brand'].map((name) => Buffer.from(name, 'utf16le').swap16());
  for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from)) to.copy(bytes, at);
  return bytes;
}
