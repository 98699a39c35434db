// Decompresses brotli data (RFC 7932): by the host's zlib, or by a WebAssembly module where there is none.
import { RenderError } from '../../errors.js';
import { host, type Zlib } from '../../host.js';
import { hasWebAssembly } from '../../kernels/kernels.js';

/**
 * Throws an Error if the data is malformed, or does not decompress to exactly `length` bytes; RenderError if the module can't be
 * loaded.
 */
export async function decompressBrotli(bytes: Uint8Array, length: number): Promise<Uint8Array> {
  const { zlib } = host();
  const data = zlib ? decompressByZlib(zlib, bytes, length) : await decompressByModule(bytes, length);
  if (data?.length !== length)
    throw new Error('its compressed data is malformed or has another length than its header claims');
  return data;
}

function decompressByZlib(zlib: Zlib, bytes: Uint8Array, length: number): Uint8Array | undefined {
  try {
    return zlib.brotliDecompressSync(bytes, { maxOutputLength: Math.max(1, length) });
  } catch {
    return undefined;
  }
}

async function decompressByModule(bytes: Uint8Array, length: number): Promise<Uint8Array | undefined> {
  if (!(await hasWebAssembly())) {
    throw new RenderError('render_failed', 'unpacking a WOFF2 font needs WebAssembly, which this process lacks');
  }
  const { BrotliDecStream, initSync } = await import('brotli-dec-wasm/web');
  // Has no effect from the second time on.
  initSync({ module: await host().loadWasm('brotli') });
  const stream = new BrotliDecStream();
  try {
    // One byte more reveals data that is too long.
    const result = stream.dec(bytes, length + 1);
    const data = result.buf;
    result.free();
    stream.free();
    return data;
  } catch {
    // Freeing would throw after a trap; the garbage collector frees the stream.
    return undefined;
  }
}
