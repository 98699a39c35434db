// Paints the example photographs: landscapes of sky, ridges, trees and water, out of value noise alone.
// The same numbers give the same pictures; the JPEG files beside this script are its output.
//   npm run build && node examples/pictures/make.mjs
import { writeFileSync } from 'node:fs';
import { encodeImage } from '../../dist/modules/lib/codecs/encode.js';
import { Pixmap } from '../../dist/modules/lib/raster/pixmap.js';

/** @typedef {[number, number, number]} Rgb 0–255 each. */

const mix = (a, b, t) => a + (b - a) * t;
const blend = (a, b, t) => [mix(a[0], b[0], t), mix(a[1], b[1], t), mix(a[2], b[2], t)];
const clamp = (value) => Math.min(1, Math.max(0, value));
const smooth = (from, to, value) => {
  const t = clamp((value - from) / (to - from));
  return t * t * (3 - 2 * t);
};

/** A fixed pseudo-random number in 0–1 for a lattice point. */
function lattice(x, y, seed) {
  let h = Math.imul(x, 374761393) ^ Math.imul(y, 668265263) ^ Math.imul(seed, 2147483647);
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

/** Value noise in 0–1, smooth between lattice points one apart. */
function noise(x, y, seed) {
  const column = Math.floor(x);
  const row = Math.floor(y);
  const u = smooth(0, 1, x - column);
  const v = smooth(0, 1, y - row);
  const top = mix(lattice(column, row, seed), lattice(column + 1, row, seed), u);
  const bottom = mix(lattice(column, row + 1, seed), lattice(column + 1, row + 1, seed), u);
  return mix(top, bottom, v);
}

/** Octaves of noise, each twice as fine and `fade` as strong as the one before; mean about 0. */
function octaves(x, y, seed, count, fade = 0.5) {
  let sum = 0;
  let strength = 1;
  for (let i = 0; i < count; i++) {
    sum += strength * (noise(x, y, seed + i) - 0.5);
    strength *= fade;
    x *= 2.03;
    y *= 2.03;
  }
  return sum;
}

/** Height of the conifers on a ridge at `x`, in units of the picture's height: narrow triangles, ragged at the sides. */
function conifers(x, { spacing, height }, seed) {
  let top = 0;
  const here = Math.floor(x / spacing);
  for (let i = here - 2; i <= here + 2; i++) {
    const centre = (i + lattice(i, 1, seed)) * spacing;
    const tall = height * (0.35 + 0.65 * lattice(i, 2, seed)) * (0.3 + 1.4 * noise(centre * 9, 0, seed));
    const reach = tall * 0.2;
    const side = Math.abs(x - centre) / reach;
    if (side < 1) top = Math.max(top, tall * (1 - side) * (0.86 + 0.28 * noise(x * 700, 0, seed)));
  }
  return top;
}

/** Draws a scene. Places and sizes are in units of the picture's height, from its top left corner. */
function landscape({ width, height, seed, sky, sun, clouds, stars, ridges, water, haze }) {
  const pixmap = new Pixmap(width, height);
  const unit = 1 / height;
  const crests = ridges.map((ridge, i) =>
    Float64Array.from({ length: width }, (_, column) => {
      const shape = octaves(column * unit * ridge.scale, 0, seed + 31 * i, ridge.detail ?? 7, ridge.rough ?? 0.5);
      return ridge.top - ridge.rise * shape;
    }),
  );
  const treetops = ridges.map(({ trees }, i) =>
    crests[i].map((crest, column) => (trees ? crest - conifers(column * unit, trees, seed + 77 * i) : crest)),
  );
  const paintSky = (x, y) => {
    const stop = clamp(y / sky.bottom) * (sky.colors.length - 1);
    const at = Math.min(sky.colors.length - 2, Math.floor(stop));
    let color = blend(sky.colors[at], sky.colors[at + 1], stop - at);
    if (clouds) {
      const cover = octaves(x * 2.2 + 3 * octaves(x * 1.5, y * 5, seed, 3), y * 9, seed + 400, 6);
      color = blend(color, clouds.color, clouds.strength * smooth(-0.02, 0.42, cover) * smooth(0, 0.1, sky.bottom - y));
    }
    if (sun) {
      const away = Math.hypot(x - sun.x, y - sun.y);
      color = blend(color, sun.color, sun.glow * Math.exp(-((away / sun.spread) ** 1.2)));
      color = blend(color, sun.disc, 1 - smooth(sun.size - unit, sun.size + unit, away));
    }
    if (stars) {
      const cell = 0.011;
      const i = Math.floor(x / cell);
      const j = Math.floor(y / cell);
      if (lattice(i, j, seed + 9) > 0.7) {
        const size = 0.0013 + 0.0016 * lattice(i, j, seed + 10) ** 6;
        const fromLeft = 0.25 + 0.5 * lattice(i, j, seed + 12);
        const fromTop = 0.25 + 0.5 * lattice(i, j, seed + 13);
        const away = Math.hypot(x / cell - i - fromLeft, y / cell - j - fromTop) * cell;
        color = blend(color, [255, 250, 240], (1 - smooth(0.3 * size, size, away)) * (0.3 + 0.7 * lattice(i, j, seed + 11)));
      }
    }
    return color;
  };
  const shade = (x, y, column) => {
    let color = paintSky(x, y);
    ridges.forEach((ridge, i) => {
      const inside = y - treetops[i][column];
      if (inside < -unit) return;
      // Fog fills valleys to a level of its own; measured from the treetops, it would hang in streaks.
      const depth = y - mix(crests[i][column], ridge.top, 0.75);
      const grain = octaves(x * 26, y * 26, seed + 900 + i, 4, 0.65) * (ridge.grain ?? 0.12);
      const lit = ridge.light ? ridge.light * octaves(x * 7 + y * 5, y * 9, seed + 500 + i, 5, 0.6) : 0;
      const fog = (ridge.fog ?? 0.8) * smooth(0, ridge.fogDepth ?? 0.22, depth + 0.05 * octaves(x * 4, y * 6, seed + i, 4));
      const rock = ridge.color.map((part) => part * (1 + grain + lit));
      color = blend(color, blend(rock, haze, fog), smooth(-unit, unit, inside));
    });
    return color;
  };
  let i = 0;
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++, i += 4) {
      const x = column * unit;
      let y = row * unit;
      let color;
      if (water && y > water.level) {
        const deep = y - water.level;
        const wave = octaves(x * 5, (deep + 0.02) ** 0.6 * 90, seed + 700, 3) * (0.004 + 0.05 * deep);
        const across = Math.round(column + wave * height * 0.5);
        y = Math.min(water.level - unit, Math.max(0, water.level - deep * 0.95 + wave));
        const mirrored = shade(x, y, Math.min(width - 1, Math.max(0, across)));
        color = blend(mirrored, water.color, water.depth * (0.35 + 0.65 * smooth(0, 0.4, deep)));
      } else color = shade(x, y, column);
      const film = (lattice(column, row, seed + 5) - 0.5) * 5;
      pixmap.data[i] = color[0] + film;
      pixmap.data[i + 1] = color[1] + film;
      pixmap.data[i + 2] = color[2] + film;
      pixmap.data[i + 3] = 255;
    }
  }
  return pixmap;
}

const SCENES = {
  'dawn.jpg': {
    width: 1500, height: 1000, seed: 11, haze: [247, 190, 152],
    sky: { bottom: 0.62, colors: [[44, 52, 98], [104, 88, 138], [203, 128, 138], [250, 178, 130], [255, 214, 160]] },
    clouds: { color: [255, 170, 140], strength: 0.5 },
    sun: { x: 0.98, y: 0.5, size: 0.036, spread: 0.28, glow: 0.75, color: [255, 224, 160], disc: [255, 246, 214] },
    ridges: [
      { top: 0.5, rise: 0.3, scale: 2.1, color: [176, 120, 140], fog: 0.9, light: 0.14 },
      { top: 0.6, rise: 0.3, scale: 2.6, color: [122, 86, 122], fog: 0.85, light: 0.16 },
      { top: 0.72, rise: 0.26, scale: 2.2, color: [76, 60, 98], fog: 0.7, trees: { spacing: 0.006, height: 0.022 } },
      { top: 0.83, rise: 0.2, scale: 1.9, color: [42, 36, 70], fog: 0.5, trees: { spacing: 0.009, height: 0.05 } },
      { top: 0.97, rise: 0.2, scale: 1.5, color: [18, 16, 38], fog: 0, trees: { spacing: 0.016, height: 0.13 } },
    ],
  },
  'lake.jpg': {
    width: 900, height: 1200, seed: 23, haze: [196, 222, 226],
    sky: { bottom: 0.6, colors: [[58, 122, 172], [110, 170, 204], [176, 214, 226], [232, 238, 226]] },
    clouds: { color: [250, 252, 252], strength: 0.5 },
    ridges: [
      { top: 0.42, rise: 0.34, scale: 2.3, color: [126, 158, 182], fog: 0.75, light: 0.4, rough: 0.56 },
      { top: 0.5, rise: 0.26, scale: 3, color: [84, 124, 140], fog: 0.7, light: 0.35 },
      { top: 0.585, rise: 0.16, scale: 3, color: [40, 84, 84], fog: 0.3, trees: { spacing: 0.006, height: 0.03 }, grain: 0.4 },
      { top: 0.63, rise: 0.07, scale: 4, color: [17, 48, 48], fog: 0.05, trees: { spacing: 0.008, height: 0.06 }, grain: 0.4 },
    ],
    water: { level: 0.655, color: [20, 74, 92], depth: 0.6 },
  },
  'dunes.jpg': {
    width: 1000, height: 1000, seed: 40, haze: [246, 206, 150],
    sky: { bottom: 0.5, colors: [[92, 142, 168], [170, 190, 180], [240, 214, 168]] },
    sun: { x: 0.24, y: 0.2, size: 0.05, spread: 0.3, glow: 0.5, color: [255, 240, 200], disc: [255, 252, 236] },
    ridges: [
      { top: 0.42, rise: 0.1, scale: 1.6, detail: 3, color: [214, 150, 100], fog: 0.7, grain: 0.03 },
      { top: 0.54, rise: 0.22, scale: 1.2, detail: 2, color: [205, 122, 70], fog: 0.55, grain: 0.03, light: 0.14 },
      { top: 0.7, rise: 0.3, scale: 1, detail: 2, color: [182, 92, 48], fog: 0.45, fogDepth: 0.35, grain: 0.04, light: 0.16 },
      { top: 0.9, rise: 0.34, scale: 0.9, detail: 2, color: [128, 56, 32], fog: 0.25, fogDepth: 0.5, grain: 0.06, light: 0.2 },
    ],
  },
  'night.jpg': {
    width: 1000, height: 1000, seed: 60, haze: [62, 92, 134],
    sky: { bottom: 0.85, colors: [[8, 12, 34], [18, 30, 70], [40, 66, 116], [96, 120, 160]] },
    stars: true,
    sun: { x: 0.7, y: 0.24, size: 0.055, spread: 0.2, glow: 0.35, color: [170, 190, 230], disc: [244, 242, 226] },
    ridges: [
      { top: 0.68, rise: 0.3, scale: 2.2, color: [44, 64, 104], fog: 0.6, light: 0.2 },
      { top: 0.8, rise: 0.2, scale: 2.6, color: [22, 36, 66], fog: 0.4, trees: { spacing: 0.008, height: 0.03 } },
      { top: 0.95, rise: 0.16, scale: 1.6, color: [6, 10, 24], fog: 0, trees: { spacing: 0.018, height: 0.17 } },
    ],
  },
};

for (const [name, scene] of Object.entries(SCENES)) {
  const bytes = await encodeImage(landscape(scene), 'jpeg', { quality: 82 });
  writeFileSync(new URL(name, import.meta.url), bytes);
  console.log(`${name}: ${scene.width} × ${scene.height}, ${bytes.length} bytes`);
}
