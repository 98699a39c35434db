// The licence texts of the packages in a bundle.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The licence texts of the packages that these files belong to.
 * @param {readonly string[]} inputs paths of files
 */
export function licencesOf(inputs) {
  const folders = inputs.map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  const texts = [...new Set(folders)].filter(Boolean).map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    // the codecs of some packages have a licence of their own
    const files = [folder, join(folder, 'codec')].filter(existsSync).flatMap((place) => {
      const names = readdirSync(place).filter((entry) => /^licen[cs]e/i.test(entry));
      return names.map((entry) => readFileSync(join(place, entry), 'utf8').trim());
    });
    return `${name} ${version}, ${license}\n\n${files.join('\n\n')}\n`;
  });
  return texts.sort().join(`\n${'-'.repeat(80)}\n\n`);
}
