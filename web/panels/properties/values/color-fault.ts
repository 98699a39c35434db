// Finds the fault of a text that should be a colour or a gradient.
import { parseGradient } from '../../../../lib/contract/css/gradient.js';
import { isGradient, parseColor } from './color.js';

/** Says why a text isn't a valid colour for the field; undefined if it is. */
export function colorFault(text: string, takesGradients: boolean): string | undefined {
  if (parseColor(text)) return undefined;
  if (!isGradient(text)) return 'Enter a colour such as #ff8800, rgb(255 136 0 / 50%) or orange';
  if (!takesGradients) return 'Enter a colour: this field takes no gradient';
  const parsed = parseGradient(text);
  return typeof parsed === 'string' ? `Expected ${parsed}` : undefined;
}
