// Loads the dictionaries that break lines of Thai, Lao, Khmer and Burmese: fonts/dictionaries/, each read once, when a text
// first needs it.
import { inflate } from '../bytes/inflate.js';
import { RenderError } from '../errors.js';
import { host } from '../host.js';
import { type DictionaryScript, dictionaryScripts, hasDictionary, setDictionary } from '../text/dictionary-breaks.js';

/** Bytes of an unpacked dictionary, with room for longer ones. The largest takes 0.2 MB. */
const MAX_BYTES = 2 ** 20;

const loading = new Map<DictionaryScript, Promise<void>>();

/** Loads the dictionaries that breaking lines of `text` needs; rejects if one can't be read. */
export async function loadDictionaries(text: string): Promise<void> {
  const missing = dictionaryScripts(text).filter((script) => !hasDictionary(script));
  await Promise.all(missing.map(loadOnce));
}

function loadOnce(script: DictionaryScript): Promise<void> {
  const started = loading.get(script) ?? load(script);
  loading.set(script, started);
  const forget = () => loading.delete(script);
  // a failed read is not kept: the file may be readable next time
  started.then(forget, forget);
  return started;
}

async function load(script: DictionaryScript): Promise<void> {
  const file = `dictionaries/${script}.bin`;
  const bytes = await host().readFontFile(file);
  try {
    setDictionary(script, inflate(bytes, MAX_BYTES).slice());
  } catch (cause) {
    throw new RenderError('asset_failed', `fonts/${file} of the package is damaged: install it again`, { cause });
  }
}
