// Writes a request of the API as code to copy: for a shell, JavaScript and Python. The key comes from $PLATEN_API_KEY.

export interface RenderCall {
  /** Origin of the API, such as `http://127.0.0.1:8080`. */
  readonly origin: string;
  /** The body of `POST /v1/render`. */
  readonly body: Readonly<Record<string, unknown>>;
}

export type Language = 'curl' | 'fetch' | 'Python';

export const LANGUAGES: readonly Language[] = ['curl', 'fetch', 'Python'];

export function codeFor(language: Language, renderCall: RenderCall): string {
  const call = { ...renderCall, body: askingForPicture(renderCall.body) };
  switch (language) {
    case 'curl':
      return curlCode(call);
    case 'fetch':
      return fetchCode(call);
    case 'Python':
      return pythonCode(call);
  }
}

const urlOf = ({ origin }: RenderCall) => `${origin}/v1/render`;

/** Adds `responseType`: without it a template's answer is JSON, but the code saves a picture. */
const askingForPicture = (body: RenderCall['body']) =>
  'templateId' in body && body.responseType === undefined ? { ...body, responseType: 'binary' } : body;

/** Returns the name of the file for the answer. */
function fileOf({ body: { format, responseType } }: RenderCall): string {
  if (responseType === 'json' || responseType === 'base64') return 'picture.json';
  if (format === 'jpeg' || format === 'jpg') return 'picture.jpg';
  return format === 'webp' || format === 'avif' ? `picture.${format}` : 'picture.png';
}

/**
 * Quotes a string for a shell, which changes nothing in single quotes; a single quote closes them, stands escaped, and opens
 * them again.
 */
const shellQuoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function curlCode(call: RenderCall): string {
  return `curl --fail-with-body ${shellQuoted(urlOf(call))} \\
  -H "Authorization: Bearer $PLATEN_API_KEY" \\
  -H 'Content-Type: application/json' \\
  --data-raw ${shellQuoted(JSON.stringify(call.body, null, 2))} \\
  -o ${fileOf(call)}
`;
}

function fetchCode(call: RenderCall): string {
  return `import { writeFile } from 'node:fs/promises';

const response = await fetch(${JSON.stringify(urlOf(call))}, {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.PLATEN_API_KEY}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${indented(javaScriptLiteral(call.body), '  ')}),
});
if (!response.ok) throw new Error(\`\${response.status} \${await response.text()}\`);
await writeFile('${fileOf(call)}', new Uint8Array(await response.arrayBuffer()));
`;
}

/**
 * Writes JSON as JavaScript. They are the same, except that the key __proto__ would set the prototype. Line breaks are only
 * between values.
 */
const javaScriptLiteral = (value: unknown) =>
  JSON.stringify(value, null, 2).replace(/^( *)"__proto__":/gm, '$1["__proto__"]:');

function pythonCode(call: RenderCall): string {
  return `import json
import os
import urllib.request

request = urllib.request.Request(
    ${JSON.stringify(urlOf(call))},
    data=json.dumps(${indented(pythonLiteral(call.body, ''), '    ')}).encode(),
    headers={
        "Authorization": "Bearer " + os.environ["PLATEN_API_KEY"],
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request) as response:
    picture = response.read()
with open("${fileOf(call)}", "wb") as file:
    file.write(picture)
`;
}

const PYTHON_WORDS: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

/** Writes JSON as Python, whose strings and numbers are the same. */
function pythonLiteral(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) {
    const text = JSON.stringify(value);
    return PYTHON_WORDS[text] ?? text;
  }
  const inner = `${indent}    `;
  const isArray = Array.isArray(value);
  const members = isArray
    ? value.map((each) => `${inner}${pythonLiteral(each, inner)},\n`)
    : Object.entries(value).map(([key, each]) => `${inner}${JSON.stringify(key)}: ${pythonLiteral(each, inner)},\n`);
  const [open, close] = isArray ? '[]' : '{}';
  return members.length === 0 ? `${open}${close}` : `${open}\n${members.join('')}${indent}${close}`;
}

/** Indents lines; strings contain no line breaks. */
const indented = (text: string, indent: string) => text.replaceAll('\n', `\n${indent}`);
