// Draws where two pictures differ.
import { PNG } from 'pngjs';

/** Magenta where a channel differs, stronger with the difference; a pale copy of the expected image elsewhere. */
export function diffOf(expected: PNG, actual: PNG): PNG {
  const diff = new PNG({ width: actual.width, height: actual.height });
  for (let i = 0; i < diff.data.length; i += 4) {
    let most = 0;
    for (let c = 0; c < 4; c++) most = Math.max(most, Math.abs((expected.data[i + c] ?? 0) - actual.data[i + c]));
    const pale = 200 + Math.round((expected.data[i + 1] ?? 0) / 5);
    diff.data.set(most > 0 ? [255, 200 - Math.round((most * 200) / 255), 255, 255] : [pale, pale, pale, 255], i);
  }
  return diff;
}
