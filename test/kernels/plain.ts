// Runs what uses the kernels with the plain ones, as on a host without WebAssembly.
import { useKernels } from '../../lib/kernels/kernels.js';
import { createPlainKernels } from '../../lib/kernels/plain/index.js';

const plain = createPlainKernels();

export function withPlainKernels<Result>(work: () => Result): Result {
  useKernels(() => plain);
  try {
    return work();
  } finally {
    useKernels();
  }
}

/** The same for what waits; nothing else may use the kernels meanwhile. */
export async function awaitWithPlainKernels<Result>(work: () => Promise<Result>): Promise<Result> {
  useKernels(() => plain);
  try {
    return await work();
  } finally {
    useKernels();
  }
}
