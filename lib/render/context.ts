// What loading needs beside the scene.
import type { Assets } from '../assets/loader.js';
import type { FamilyFile, FontRegistry } from '../fonts/registry.js';
import type { StageBudget } from '../stage-budget.js';
import type { Inspected } from './inspected.js';
import type { RetainedScene } from './retained.js';

export interface LoadContext {
  readonly assets: Assets;
  readonly typefaces: FontRegistry;
  /** Instead of the layers' own `verify`. */
  readonly verify?: 'off' | 'warn' | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Limits of processor time for this render alone. */
  readonly stages?: StageBudget | undefined;
  /** Called once with what became of the layers. Without it, none is inspected. */
  readonly onInspected?: ((inspected: Inspected) => void) | undefined;
  /** The text to inspect for carets: its path in messages, or that of its raw layer. */
  readonly caretsOf?: string | undefined;
  /** What earlier draws of the same document have kept, with the same options. */
  readonly retained?: RetainedScene | undefined;
  /** The fonts of the scene's texts so far. Their number is limited. */
  readonly fonts?: Set<string> | undefined;
  /** As the scene has them. */
  readonly familyFiles?: readonly FamilyFile[] | undefined;
  /** Called when WebAssembly trapped but a fallback colour hides the failure: the process may still be damaged. */
  readonly onTrap?: (() => void) | undefined;
}
