// Inputs of loading other than the scene.

import type { Assets } from '../assets/loader.js';
import type { Layer } from '../contract/layers/index.js';
import type { FamilyFile, FontRegistry } from '../fonts/registry.js';
import type { Frame } from '../layers/frame.js';
import type { Meaning } from '../paint/target.js';
import type { StageBudget } from '../stage-budget.js';
import type { Inspected } from './inspected.js';
import type { RetainedScene } from './retained.js';

export interface LoadContext {
  readonly assets: Assets;
  readonly typefaces: FontRegistry;
  /** Overrides the layers' own `verify`. */
  readonly verify?: 'off' | 'warn' | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Limits on the processor time of this render. */
  readonly stages?: StageBudget | undefined;
  /** Called once with the description of the layers. Without it, no layer is inspected. */
  readonly onInspected?: ((inspected: Inspected) => void) | undefined;
  /** Whether the layers are measured for findings. */
  readonly measures?: boolean | undefined;
  /** The text whose carets are computed: its path in messages, or the path of its raw layer. */
  readonly caretsOf?: string | undefined;
  /** State that earlier draws of the same document left, made with the same options. */
  readonly retained?: RetainedScene | undefined;
  /** Fonts that the scene's texts have used so far. Their number is limited. */
  readonly fonts?: Set<string> | undefined;
  /** The scene's families of font files. */
  readonly familyFiles?: readonly FamilyFile[] | undefined;
  /** What a layer means in a document; pictures have no use for it. */
  readonly meaningOf?: ((layer: Layer, frame: Frame) => Meaning) | undefined;
  /** Called when WebAssembly trapped but a fallback colour hides the failure: the process may still be damaged. */
  readonly onTrap?: (() => void) | undefined;
}
