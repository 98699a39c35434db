// The script of GET /docs: shows the forms, sends them to this server and shows the answers. The key stays in its field.

export const SCRIPT = `'use strict';
const key = document.getElementById('key');
const LONG = 200;

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  return made;
}

// relative to this page, so that it works behind a path of a proxy
function requestOf(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  const headers = { Authorization: 'Bearer ' + key.value.trim() };
  let body;
  for (const control of form.elements) {
    const value = control.value;
    if (!control.name || value === '') continue;
    const [place, name] = control.name.split(':');
    if (place === 'path') path = path.replace('{' + name + '}', encodeURIComponent(value.trim()));
    else if (place === 'query') query.set(name, value.trim());
    else if (place === 'header') headers[name] = value.trim();
    else if (place === 'metadata') {
      const [, field, text] = /^([^=]*)=?([^]*)$/.exec(value);
      query.set('metadata.' + field, text);
    } else if (place === 'file') {
      body = control.files[0];
      headers['Content-Type'] = 'application/octet-stream';
    } else {
      body = value;
      headers['Content-Type'] = 'application/json';
    }
  }
  const search = query.size > 0 ? '?' + query : '';
  return [path.slice(1) + search, { method: form.dataset.method, headers, body }];
}

function shortened(_name, value) {
  const isLong = typeof value === 'string' && value.length > LONG;
  return isLong ? value.slice(0, LONG) + '… (' + value.length + ' characters)' : value;
}

function picture(url, name) {
  const image = element('img', undefined, { src: url, alt: 'The rendered picture' });
  const link = element('a', 'Save the picture', { href: url, download: name });
  const line = element('p');
  line.append(link);
  return [image, line];
}

async function bodyOf(answer) {
  const type = (answer.headers.get('Content-Type') || '').split(';')[0];
  if (type.startsWith('image/')) {
    return { shown: picture(URL.createObjectURL(await answer.blob()), 'image.' + type.slice(6)) };
  }
  const text = await answer.text();
  if (text === '') return { shown: [] };
  if (type === 'application/x-ndjson') return { shown: text.trimEnd().split('\\n').flatMap(lineOf) };
  try {
    const value = JSON.parse(text);
    const shown = [element('pre', JSON.stringify(value, shortened, 2), { tabindex: '0' })];
    if (value.dataUrl) shown.unshift(...picture(value.dataUrl, 'image.' + value.format));
    return { shown, value };
  } catch {
    return { shown: [element('pre', text.slice(0, 10000), { tabindex: '0' })] };
  }
}

// A line of a batch: its picture, and what else it says.
function lineOf(line) {
  const value = JSON.parse(line);
  const url = value.base64 && 'data:image/' + value.format + ';base64,' + value.base64;
  return [...(url ? picture(url, value.name + '.' + value.format) : []), element('pre', JSON.stringify(value, shortened, 2), { tabindex: '0' })];
}

function headersOf(answer) {
  const details = element('details');
  details.append(element('summary', 'Headers'));
  const lines = [...answer.headers].map(([name, value]) => name + ': ' + value);
  details.append(element('pre', lines.join('\\n'), { tabindex: '0' }));
  return details;
}

// What was made or listed is what the next form is about.
function fillIds(tag, id) {
  if (typeof id !== 'string') return;
  for (const input of document.querySelectorAll('[data-id-of="' + tag + '"]')) {
    if (input.value === '' || input.dataset.filled === input.value) input.dataset.filled = input.value = id;
  }
}

async function send(form) {
  const output = form.querySelector('.answer');
  const button = form.querySelector('button');
  for (const old of output.querySelectorAll('img')) URL.revokeObjectURL(old.src);
  if (key.value.trim() === '') {
    output.replaceChildren(element('p', 'Enter an API key at the top of the page first.', { class: 'failed' }));
    key.focus();
    return;
  }
  button.disabled = true;
  output.replaceChildren(element('p', 'Waiting for the answer …'));
  const start = performance.now();
  try {
    const [path, init] = requestOf(form);
    const answer = await fetch(path, init);
    const { shown, value } = await bodyOf(answer);
    const time = Math.round(performance.now() - start);
    const line = answer.status + ' ' + answer.statusText + ', ' + time + ' ms';
    output.replaceChildren(element('p', line, { class: answer.ok ? 'passed' : 'failed' }), ...shown, headersOf(answer));
    if (answer.ok) {
      fillIds('Render log', answer.headers.get('X-Service-Render-Id') || (value && value.renderId));
      if (value) fillIds(form.dataset.tag, value.id || (value.items && value.items[0] && value.items[0].id));
    }
  } catch (error) {
    output.replaceChildren(element('p', 'No answer: ' + error.message, { class: 'failed' }));
  } finally {
    button.disabled = false;
  }
}

for (const form of document.querySelectorAll('form.try')) {
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form);
  });
}
document.getElementById('keys').hidden = false;
`;
