// Decides whether scanners can read a painted code, and why not. The limits are where zbar, a scanner that many programs use,
// begins to miss codes which ZXing still reads (test/scanner/zbar.test.ts compares them).
import type { PaintedCode } from '../layers/codes/painted-code.js';
import type { Measurement } from './measure.js';
import type { Reading } from './reader.js';

/** Reason why a code can't be read. */
export type Cause =
  | 'mirrored'
  | 'off canvas'
  | 'too small'
  | 'contrast'
  | 'logo'
  | 'covered'
  | 'quiet zone'
  | 'unknown';

export interface Problem {
  readonly cause: Cause;
  /** Received and expected, as one clause. */
  readonly message: string;
}

/** Canvas pixels that a module is wide. */
const MIN_MODULE = 2;
/** Luma between dark and light modules. */
const MIN_CONTRAST = 40;

interface Limits {
  /** Canvas pixels that a module is wide whose edges are not on whole pixels, and so have mixed colours. */
  readonly unsnappedModule: number;
  /** The contrast of the modules, as a share of that of the light ones with lighter, and with darker surroundings. */
  readonly contrastToLighter: number;
  readonly contrastToDarker: number;
  /** Modules beside the symbol without which scanners don't find it. */
  readonly quietZone: number;
}

const QR: Limits = { unsnappedModule: 2.5, contrastToLighter: 2.5, contrastToDarker: 0.75, quietZone: 1 };
const LINEAR: Limits = { unsnappedModule: MIN_MODULE, contrastToLighter: 1, contrastToDarker: 0.5, quietZone: 5 };
/** zbar does not read the others. */
const MATRIX: Limits = { ...QR, quietZone: 0 };

/** The share of the error correction that damage must leave unused. */
const MIN_UNUSED_CORRECTION = 0.4;
/** The share of modules that look wrong from which on a code that nobody reads counts as covered. */
const MIN_COVERED = 0.01;
export interface CodeFindings extends Measurement {
  /** The reading at the code's place, if it equals the code's data. */
  readonly reading: Reading | undefined;
  /** Whether it is also read from the picture reduced, as from a little farther away. */
  readonly isReadFarther: boolean;
  /** Canvas pixels. */
  readonly module: number;
}

/** The problem of a code that can't be read, or not reliably; undefined if there is none. */
export function diagnose(code: PaintedCode, findings: CodeFindings): Problem | undefined {
  const { reading, module, dark, light, lightest, darkest, quietZone, outside } = findings;
  const problem = (cause: Cause, message: string): Problem => ({ cause, message });
  if (reading?.isMirrored) return problem('mirrored', 'it is mirrored');
  if (outside > 0) return problem('off canvas', `${percent(outside)} of it lies off the canvas`);
  const { isSnapped } = code;
  const limits = code.symbology === 'qrcode' ? QR : code.rows === 1 ? LINEAR : MATRIX;
  const minModule = isSnapped ? MIN_MODULE : limits.unsnappedModule;
  if (module < minModule) {
    const message = `a module is ${oneDecimal(module)} pixels wide, expected at least ${minModule}`;
    return problem(
      'too small',
      minModule === MIN_MODULE ? message : `${message} where its edges are not on whole pixels`,
    );
  }
  if (findings.contrast < 0) return problem('contrast', 'its dark modules are lighter than its light ones');
  const contrast = light - dark;
  const damage = findings.contrast >= MIN_CONTRAST ? diagnoseDamage(code, findings) : undefined;
  if (damage) return damage;
  if (contrast < MIN_CONTRAST) {
    const message = `its dark and light modules differ by ${percent(contrast / 255)} in brightness`;
    return problem('contrast', `${message}, expected at least ${percent(MIN_CONTRAST / 255)}`);
  }
  if (contrast < limits.contrastToLighter * (lightest - light)) {
    return problem('contrast', 'its surroundings are much lighter than its light modules');
  }
  if (contrast < limits.contrastToDarker * (light - darkest)) {
    return problem('contrast', 'its surroundings are much darker than its dark modules');
  }
  if (quietZone < (reading ? limits.quietZone : code.quietZone)) {
    const width = `${quietZone} ${quietZone === 1 ? 'module' : 'modules'}`;
    return problem('quiet zone', `its quiet zone is ${width} wide, expected at least ${code.quietZone}`);
  }
  if (!reading) return problem('unknown', 'no code is found at its place');
  if (code.symbology === 'qrcode' && !findings.isReadFarther) {
    return problem('too small', `its modules of ${oneDecimal(module)} pixels are too small or too uneven`);
  }
  return undefined;
}

function diagnoseDamage({ logo }: PaintedCode, { reading, wrong, wrongInLogo }: CodeFindings): Problem | undefined {
  const isDamaged = reading ? reading.unusedCorrection < MIN_UNUSED_CORRECTION : wrong >= MIN_COVERED;
  if (!isDamaged) return undefined;
  if (logo && wrongInLogo > wrong / 2) {
    const message = `its logo changes ${percent(wrongInLogo)} of the modules: make it smaller, or the error correction higher`;
    return { cause: 'logo', message };
  }
  return { cause: 'covered', message: `${percent(wrong)} of its modules are covered or look wrong` };
}

/** Rounded down, so that a value below a limit never reads as the limit. */
const oneDecimal = (value: number) => (Math.floor(value * 10) / 10).toFixed(1);
const percent = (share: number) => `${Math.max(0, Math.floor(share * 100))} %`;
