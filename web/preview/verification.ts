// Renders with the service, and compares its pixels with the preview's.
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { VerifyAnswer, VerifyBody } from '../../lib/contract/dashboard.js';
import type { PixelDifference } from '../../lib/templates/pixel-diff.js';
import { announce } from '../app/announce.js';
import { ApiError, api } from '../app/api.js';
import { workspace } from '../app/session.js';
import type { Picture, Source } from '../engine/messages.js';
import type { PreviewParts } from './use-preview.js';

export interface VerifyResult {
  readonly answer: VerifyAnswer;
  readonly isIdentical: boolean;
  /** Absent if the format is lossy. */
  readonly difference?: PixelDifference;
}

type Outcome = VerifyResult | ApiError;

export interface Verification {
  /** The result for the picture on screen. */
  readonly outcome: ReadonlySignal<Outcome | undefined>;
  /** Whether only an earlier picture was verified. */
  readonly isOutdated: ReadonlySignal<boolean>;
  readonly isBusy: ReadonlySignal<boolean>;
  /** Whether there is a picture of the latest payload. */
  readonly isReady: ReadonlySignal<boolean>;
  run(): Promise<Outcome | undefined>;
}

export function createVerification({ preview, engine }: PreviewParts): Verification {
  const last = signal<{ readonly source: Source; readonly outcome: Outcome } | undefined>(undefined);
  const isBusy = signal(false);
  const source = computed(() => preview.latestPicture.value?.source);
  const outcome = computed(() => (last.value?.source === source.value ? last.value?.outcome : undefined));

  async function verify({ payload, variables, size }: Source): Promise<Outcome | undefined> {
    const body: VerifyBody = {
      workspaceId: workspace.value?.id ?? '',
      payload,
      ...(variables && { variables }),
      ...(size !== undefined && { size }),
    };
    try {
      const [answer, own] = await Promise.all([
        api.post<VerifyAnswer>('verify', body),
        engine.draw({ payload, variables, size }, { digest: true }),
      ]);
      const isIdentical = answer.pixelsSha256 === own.pixelsSha256;
      const difference = isIdentical ? undefined : await differenceOf(answer, own);
      return { answer, isIdentical, ...(difference && { difference }) };
    } catch (failure) {
      if (failure instanceof DOMException) return undefined;
      return failure instanceof ApiError ? failure : new ApiError(0, { error: (failure as Error).message });
    }
  }

  return {
    outcome,
    isOutdated: computed(() => last.value !== undefined && outcome.value === undefined),
    isBusy,
    isReady: computed(() => source.value !== undefined && !preview.isStale.value),
    async run() {
      if (isBusy.peek()) return undefined;
      isBusy.value = true;
      // wait for the picture of the last text
      await isDone(preview.isDrawing);
      const verified = source.peek();
      const result = verified && (await verify(verified));
      isBusy.value = false;
      last.value = verified && result && { source: verified, outcome: result };
      if (result && 'answer' in result) announce(result.isIdentical ? 'Identical' : 'The pictures differ');
      return result;
    },
  };
}

/** Resolves once `isBusy` is false. */
async function isDone(isBusy: ReadonlySignal<boolean>): Promise<void> {
  let stop = () => {};
  await new Promise<void>((resolve) => {
    stop = isBusy.subscribe((value) => {
      if (!value) resolve();
    });
  });
  stop();
}

/** Compares the pixels. The browser decodes the service's file, so only PNG has the pixels that were drawn. */
async function differenceOf(answer: VerifyAnswer, own: Picture): Promise<PixelDifference | undefined> {
  if (answer.format !== 'png') return undefined;
  const bytes = Uint8Array.from(atob(answer.base64), (char) => char.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: answer.mimeType }));
  const { diffPixels } = await import('../../lib/templates/pixel-diff.js');
  // both pictures go through a canvas, which multiplies colours by alpha and so loses some of them
  const ownBitmap = await createImageBitmap(new ImageData(own.data, own.width, own.height));
  return diffPixels(readBack(ownBitmap), readBack(bitmap));
}

function readBack(bitmap: ImageBitmap): ImageData {
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })!;
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, width, height);
}
