// The script of every page of the documentation: opens the list of pages on narrow screens, and searches.
import { type Hit, type Section, search, wordsOf } from './search.js';

const find = <Found extends Element>(selector: string): Found => document.querySelector<Found>(selector)!;

const button = find<HTMLButtonElement>('nav.pages button');
button.hidden = false;
document.body.classList.add('scripted');
button.addEventListener('click', () => {
  button.ariaExpanded = String(button.ariaExpanded !== 'true');
});

const form = find<HTMLFormElement>('form.search');
const input = find<HTMLInputElement>('#search');
const results = find<HTMLElement>('.results');
form.hidden = false;

let sections: Promise<readonly Section[]> | undefined;
/** Loads the index when somebody searches. A failed request is repeated next time. */
function load(): Promise<readonly Section[]> {
  sections ??= fetch(form.dataset.index!).then(
    (answer) => answer.json(),
    (error) => {
      sections = undefined;
      throw error;
    },
  );
  return sections;
}

function showHits(hits: readonly Hit[], query: string): void {
  if (hits.length === 0) {
    results.replaceChildren(element('p', `Nothing has all of “${query}”.`));
    return;
  }
  const words = wordsOf(query);
  const list = element('ul');
  for (const { url, page, title, excerpt } of hits) {
    const link = element('a');
    link.setAttribute('href', url);
    const heading = element('strong', title === page ? page : `${page}: ${title}`);
    const text = element('span');
    text.append(...marked(excerpt, words));
    link.append(heading, text);
    const item = element('li');
    item.append(link);
    list.append(item);
  }
  results.replaceChildren(list);
}

/** Marks the matches of the query's words in a text with `<mark>`. */
function marked(text: string, words: readonly string[]): (string | Element)[] {
  const forms = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return text
    .split(new RegExp(`(${forms.join('|')})`, 'gi'))
    .map((part, i) => (i % 2 === 1 ? element('mark', part) : part));
}

function element(name: string, text = ''): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

async function update(): Promise<void> {
  const query = input.value.trim();
  results.hidden = query === '';
  if (query === '') return;
  try {
    const found = await load();
    if (query === input.value.trim()) showHits(search(found, query), query);
  } catch {
    results.replaceChildren(element('p', 'The index of the search can’t be fetched.'));
  }
}

function close(): void {
  results.hidden = true;
}

input.addEventListener('focus', () => void load().catch(() => {}));
input.addEventListener('input', () => void update());
form.addEventListener('submit', (event) => {
  event.preventDefault();
  results.querySelector<HTMLAnchorElement>('a')?.click();
});
form.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    input.value = '';
    close();
    input.focus();
    return;
  }
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const stops = [input, ...results.querySelectorAll<HTMLElement>('a')];
  const at = stops.indexOf(document.activeElement as HTMLInputElement);
  const next = stops[at + (event.key === 'ArrowDown' ? 1 : -1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
});
// a hit on this page leads to its section, and would leave the list open
results.addEventListener('click', (event) => {
  if ((event.target as Element).closest('a')) close();
});
document.addEventListener('focusin', ({ target }) => {
  if (!form.contains(target as Node)) close();
});
document.addEventListener('click', ({ target }) => {
  if (!form.contains(target as Node)) close();
});
document.addEventListener('keydown', (event) => {
  const { target, key, ctrlKey, metaKey, altKey } = event;
  if (key !== '/' || ctrlKey || metaKey || altKey) return;
  if (target instanceof HTMLElement && target.closest('input, textarea, select')) return;
  event.preventDefault();
  input.focus();
});
