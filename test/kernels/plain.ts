// Runs what uses the kernels with the plain ones, as on a host without WebAssembly.
import { useKernels } from '../../lib/kernels/kernels.js';
import { createPlainKernels } from '../../lib/kernels/plain/index.js';

export function withPlainKernels<Result>(work: () => Result): Result {
  useKernels(createPlainKernels);
  try {
    return work();
  } finally {
    useKernels();
  }
}

/** The same for what waits; nothing else may use the kernels meanwhile. */
export async function awaitWithPlainKernels<Result>(work: () => Promise<Result>): Promise<Result> {
  useKernels(createPlainKernels);
  try {
    return await work();
  } finally {
    useKernels();
  }
}
