// Stands in for the engine in a worker: does what its payload says.
import { RenderError } from '../../lib/errors.js';

interface Order {
  readonly do: 'echo' | 'hang' | 'wait' | 'fail' | 'throw' | 'trap';
  readonly value?: number;
}
interface Given {
  readonly signal: AbortSignal;
  readonly images?: Readonly<Record<string, Uint8Array>>;
}

let renders = 0;

export function createRenderer(options: { readonly size?: string } & object) {
  if (options.size) throw new RenderError('invalid_request', options.size);
  async function run(order: Order, { signal, ...given }: Given): Promise<object> {
    renders++;
    switch (order.do) {
      case 'hang':
        for (;;);
      case 'wait':
        return new Promise<object>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        });
      case 'fail': {
        const details = [{ code: 'asset_failed' as const, path: 'layers[0].url', layerId: 'a', message: 'is broken' }];
        throw new RenderError('asset_failed', 'layers[0].url: is broken', { details });
      }
      case 'throw':
        throw new TypeError('unforeseen');
      case 'trap':
        throw new RenderError('render_failed', 'crashed', { cause: new WebAssembly.RuntimeError('unreachable') });
      default: {
        const images = Object.entries(given.images ?? {}).map(([name, { length }]) => [name, length]);
        return { value: order.value, renders, options, given: { ...given, images } };
      }
    }
  }
  // a part of a larger buffer, as results may be
  const bytes = () => new Uint8Array(100).fill(7).subarray(10, 20);
  return {
    render: async (order: Order, given: Given) => ({ ...(await run(order, given)), bytes: bytes() }),
    renderToPixels: async (order: Order, given: Given) => {
      const { buffer, byteOffset, length } = bytes();
      return { ...(await run(order, given)), data: new Uint8ClampedArray(buffer, byteOffset, length) };
    },
  };
}
