// The code that every runtime runs: it renders one case and returns the compared aspects. It uses only the library and features
// that all runtimes have.

const MAX_PICTURE_PIXELS = 4_000_000;

/** @param {Uint8Array} bytes */
async function sha256(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @param {Uint8Array} bytes */
function base64(bytes) {
  let binary = '';
  for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(binary);
}

/**
 * @param {{ renderToPixels: Function, render: Function }} renderer
 * @param {import('../cases.js').Case} given
 * @param {boolean} [withPicture] whether the result has the pixels themselves
 * @returns {Promise<import('../compare.js').Result>}
 */
export async function renderCase(renderer, { name, payload, variables, format }, withPicture = false) {
  const options = { ...(variables !== undefined && { variables }), signal: new AbortController().signal };
  try {
    const { data, width, height, warnings } = await renderer.renderToPixels(payload, options);
    const pixels = new Uint8Array(data.buffer, data.byteOffset, data.length);
    const encoded = format === undefined ? undefined : (await renderer.render(payload, { ...options, format })).bytes;
    const isShown = withPicture && width * height <= MAX_PICTURE_PIXELS;
    return {
      name,
      pixels: `${width} × ${height} ${await sha256(pixels)}`,
      warnings: warnings.map(({ path, message }) => `${path}: ${message}`).join('\n'),
      ...(encoded && { encoded: `${format} ${await sha256(encoded)}` }),
      ...(isShown && { picture: { width, height, base64: base64(pixels) } }),
    };
  } catch (error) {
    return { name, error: `${error.code ?? error.name}: ${error.message}` };
  }
}
