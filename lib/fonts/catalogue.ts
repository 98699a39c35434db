// The list of fonts that a caller can name: `GET /v1/fonts` and `platen fonts`.
import type { Font, FontStyle } from '../contract/api/fonts.js';
import { lowercase } from '../unicode/case-mapping.js';
import { covers, type FontFace, isSameFamily, loadManifest, prepareCoverage } from './bundled.js';
import { loadLanguages } from './languages.js';
import { describeCharacters, describeTypeface, type Typeface } from './typeface.js';
import type { UserFont } from './user-fonts.js';

/** A font of a workspace. */
export interface ListedAsset {
  readonly family?: string | undefined;
  readonly weight?: number | undefined;
  readonly style?: FontStyle['style'] | undefined;
  /** Absent if it was stored before there was one. */
  readonly typeface?: Typeface | undefined;
}

let bundled: Promise<readonly Font[]> | undefined;

/**
 * The bundled families in the order of the manifest, those of `userFonts`, and those of `assets`. A user font takes the place of
 * the bundled family of its name, as in renders.
 */
export async function listFontFamilies(
  userFonts: readonly UserFont[] = [],
  assets: readonly ListedAsset[] = [],
): Promise<Font[]> {
  const own = await Promise.all(groupByFamily(userFonts).map(describeUserFamily));
  const others = (await bundledFamilies()).filter(
    ({ family }) => !own.some((font) => isSameFamily(font.family, family)),
  );
  return [...others, ...own, ...groupByFamily(assets).map(describeAssetFamily)];
}

/** Described once: 50 families take 60 ms. */
function bundledFamilies(): Promise<readonly Font[]> {
  if (!bundled) {
    bundled = describeBundled();
    bundled.catch(() => {
      bundled = undefined;
    });
  }
  return bundled;
}

async function describeBundled(): Promise<Font[]> {
  const [table] = await Promise.all([loadLanguages(), prepareCoverage()]);
  return groupByFamily(loadManifest().faces).map((faces) => {
    const [{ family, category }] = faces;
    const regular = faces.find(({ weight, style }) => weight === 400 && style === 'normal') ?? faces[0];
    const { scripts, sample } = describeCharacters(family, (codePoint) => covers(regular, codePoint), table);
    return { family, styles: stylesOf(faces), scripts: [...scripts], category, sample, source: 'bundled' };
  });
}

async function describeUserFamily(fonts: readonly UserFont[]): Promise<Font> {
  const [{ family, bytes }] = fonts;
  const { scripts, category, sample } = await describeTypeface(family, bytes);
  return { family, styles: stylesOf(fonts), scripts: [...scripts], category, sample, source: 'bundled' };
}

function describeAssetFamily(fonts: readonly (ListedAsset & { readonly family: string })[]): Font {
  const [{ family, typeface }] = fonts;
  const { scripts = [], category = 'other', sample = family } = typeface ?? {};
  const styles = fonts.map(({ weight = 400, style = 'normal', typeface: own }) => ({
    ...{ weight, style },
    isVariable: own?.isVariable ?? false,
  }));
  return { family, styles: stylesOf(styles), scripts: [...scripts], category, sample, source: 'asset' };
}

/** The fonts of each family, in the order of the first ones. */
function groupByFamily<F extends { readonly family?: string | undefined }>(
  fonts: readonly F[],
): (readonly (F & { readonly family: string })[])[] {
  const families = new Map<string, (F & { readonly family: string })[]>();
  for (const font of fonts) {
    const { family } = font;
    if (family === undefined) continue;
    const key = lowercase(family.trim());
    families.set(key, [...(families.get(key) ?? []), { ...font, family }]);
  }
  return [...families.values()];
}

type Face = Pick<FontFace, 'weight' | 'style'> & { readonly isVariable?: boolean };

/** Lightest first, upright before italic; each once. */
function stylesOf(faces: readonly Face[]): FontStyle[] {
  const styles = faces.map(
    ({ weight, style, isVariable = false }): FontStyle => ({
      ...{ weight, style },
      ...(isVariable && { variable: true as const }),
    }),
  );
  const unique = new Map(styles.map((each) => [JSON.stringify(each), each]));
  return [...unique.values()].sort(
    (a, b) => a.weight - b.weight || Number(a.style === 'italic') - Number(b.style === 'italic'),
  );
}
