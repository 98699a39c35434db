// Makes fonts/dictionaries/: the words of Thai, Lao, Khmer and Burmese, which line breaking looks up, from the data file of
// Chromium's ICU, whose Lao and Khmer dictionaries are smaller than those of ICU's own releases: lines break as in Chromium.
//   node scripts/dictionaries.mjs /usr/lib/chromium/icudtl.dat     Debian's package chromium-common has the file
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';

/** Each dictionary's number of words, and the SHA-256 of its words, sorted and separated by line feeds. */
const DICTIONARIES = {
  thai: [26383, '93024370698207553181a6e3d7ae008acb1c676eee87774b5effb9f5f2f0fe26'],
  lao: [11206, '1ffc94c743c50c220c0912d2b67aef37a901c1795835f370d22aa1d1c809ade3'],
  khmer: [19625, 'cada65c47c48cf9644ac37209d817957aa03570f6636b5094b69ca465aa2aeaf'],
  burmese: [41120, 'f2fd4fa346746a1ed90a4f344a5fd35126869d40590681b9898229b244a32bae'],
};

const folder = fileURLToPath(new URL('../fonts/dictionaries/', import.meta.url));

/** The items of an ICU data file, by name: a table of names and positions follows the header. */
function itemsOf(/** @type {Buffer} */ file) {
  if (file.readUInt16BE(2) !== 0xda27) throw new Error('not a data file of ICU');
  const table = file.readUInt16LE(0);
  const position = (/** @type {number} */ index) => table + file.readUInt32LE(table + 4 + 4 * index);
  const count = file.readUInt32LE(table);
  return new Map(
    Array.from({ length: count }, (_, i) => {
      const name = file.toString('latin1', position(2 * i), file.indexOf(0, position(2 * i)));
      const end = i + 1 < count ? position(2 * i + 3) : file.length;
      return [name.replace(/^.*\//, ''), file.subarray(position(2 * i + 1), end)];
    }),
  );
}

/** The words of a dictionary item: a trie of bytes (ICU's BytesTrie), each of them a character's distance from a base. */
function wordsOf(/** @type {Buffer} */ item) {
  const header = item.readUInt16LE(0);
  const [start, , , end, type, transform] = Array.from({ length: 6 }, (_, i) => item.readInt32LE(header + 4 * i));
  if ((type & 7) !== 0 || transform >>> 24 !== 1) throw new Error('not a dictionary of bytes');
  const trie = item.subarray(header + start, header + end);
  /** @type {string[]} */
  const words = [];
  const readJump = (/** @type {number} */ at) => readNumber(at, trie[at], [0xc0, 0xf0, 0xfe, 0xff]);
  const readValue = (/** @type {number} */ at) => readNumber(at, (trie[at] >> 1) - 16, [0x41, 0x5c, 0x6e, 0x6f]);
  readNode(0, '');
  return words.sort();

  function character(/** @type {number} */ byte) {
    if (byte >= 0xfe) return byte === 0xff ? '\u200d' : '\u200c';
    return String.fromCharCode((transform & 0x1fffff) + byte);
  }

  /**
   * A number of one to five bytes, and the position behind it. `leads`: the first bytes from which on it has two, three, four
   * and five bytes. The first byte of a number of up to three bytes holds its high bits.
   * @param {number} at
   * @param {number} first The first byte, shifted to where the number starts from 0.
   * @param {readonly number[]} leads
   */
  function readNumber(at, first, [two, three, four, five]) {
    if (first < two) return [first, at + 1];
    if (first < three) return [((first - two) << 8) | trie[at + 1], at + 2];
    if (first < four) return [((first - three) << 16) | trie.readUInt16BE(at + 1), at + 3];
    return first < five ? [trie.readUIntBE(at + 1, 3), at + 4] : [trie.readInt32BE(at + 1), at + 5];
  }

  function readNode(/** @type {number} */ at, /** @type {string} */ text) {
    for (;;) {
      const lead = trie[at];
      if (lead >= 0x20) {
        // a value: a word ends here, and if bit 0 is set, the branch too
        words.push(text);
        if (lead & 1) return;
        at = readValue(at)[1];
      } else if (lead >= 0x10) {
        // the bytes that follow come one after the other
        const next = at + lead - 0x10 + 2;
        for (const byte of trie.subarray(at + 1, next)) text += character(byte);
        at = next;
      } else if (lead > 0) return readBranches(at + 1, lead + 1, text);
      else return readBranches(at + 2, trie[at + 1] + 1, text);
    }
  }

  /** `count` bytes to choose from: halved as long as there are more than five, then each with the position that follows it. */
  function readBranches(/** @type {number} */ at, /** @type {number} */ count, /** @type {string} */ text) {
    while (count > 5) {
      const [jump, next] = readJump(at + 1);
      readBranches(next + jump, count >> 1, text);
      count -= count >> 1;
      at = next;
    }
    for (; count > 1; count--) {
      const longer = text + character(trie[at]);
      const [value, next] = readValue(at + 1);
      if (trie[at + 1] & 1) words.push(longer);
      else readNode(next + value, longer);
      at = next;
    }
    readNode(at + 1, text + character(trie[at]));
  }
}

/** Packs words in the format that lib/text/dictionary.ts unpacks. */
function pack(/** @type {string[]} */ words) {
  const characters = [...new Set(words.join(''))].sort();
  const letters = new Map(characters.map((character, i) => [character, i + 1]));
  const header = Buffer.alloc(9 + 2 * characters.length);
  header.writeUInt32BE(words.length, 0);
  header.writeUInt32BE(words.join('').length, 4);
  header[8] = characters.length;
  characters.forEach((character, i) => {
    header.writeUInt16BE(character.charCodeAt(0), 9 + 2 * i);
  });
  const bytes = [...header];
  words.forEach((word, i) => {
    const previous = words[i - 1] ?? '';
    let shared = 0;
    while (shared < previous.length && word[shared] === previous[shared]) shared++;
    bytes.push(128 + shared, ...[...word.slice(shared)].map((character) => letters.get(character) ?? 0));
  });
  return Uint8Array.from(bytes);
}

const items = itemsOf(readFileSync(process.argv[2]));
mkdirSync(folder, { recursive: true });
for (const [name, [count, sha256]] of Object.entries(DICTIONARIES)) {
  const words = wordsOf(items.get(`${name}dict.dict`));
  const hash = createHash('sha256').update(words.join('\n')).digest('hex');
  if (hash !== sha256)
    throw new Error(`${name}: expected ${count} words with hash ${sha256}, found ${words.length}, ${hash}`);
  const packed = deflateSync(pack(words), { level: 9 });
  writeFileSync(`${folder}${name}.bin`, packed);
  console.log(`${name}.bin  ${words.length} words  ${packed.length} bytes`);
}
