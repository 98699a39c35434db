// The examples of GET /docs: one request in several languages, each a complete program without dependencies. They read the
// server's address and the key from the environment, so they run unchanged.

export interface Example {
  readonly language: string;
  /** A file name for the program and the command that runs it; absent for a shell command. */
  readonly file?: string;
  readonly command?: string;
  readonly code: string;
}

/** The payload of every example; the image goes to `hello.png`. */
export const EXAMPLE_PAYLOAD = `{
  "canvas": { "width": 600, "height": 315, "backgroundColor": "#14213d" },
  "layers": [
    { "type": "text", "text": "Hello from JSON", "x": 40, "y": 40, "width": 520, "height": 235,
      "fontSize": 64, "fontWeight": "bold", "color": "#ffffff", "verticalAlign": "middle" }
  ]
}`;

/** Sets the environment variables that the examples read. */
export const EXAMPLE_ENVIRONMENT = `export PLATEN_URL=http://127.0.0.1:8080
export PLATEN_KEY=svc_live_…`;

const CURL = `curl --fail-with-body "$PLATEN_URL/v1/render" \\
  -H "Authorization: Bearer $PLATEN_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '${EXAMPLE_PAYLOAD}' \\
  -o hello.png
`;

const JAVASCRIPT = `import { writeFile } from 'node:fs/promises';

const payload = ${EXAMPLE_PAYLOAD};

const response = await fetch(\`\${process.env.PLATEN_URL}/v1/render\`, {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.PLATEN_KEY}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(payload),
});
if (!response.ok) throw new Error(\`\${response.status}: \${await response.text()}\`);
await writeFile('hello.png', Buffer.from(await response.arrayBuffer()));
`;

const PYTHON = `import json
import os
import urllib.request

payload = ${EXAMPLE_PAYLOAD}

request = urllib.request.Request(
    os.environ["PLATEN_URL"] + "/v1/render",
    data=json.dumps(payload).encode(),
    headers={
        "Authorization": "Bearer " + os.environ["PLATEN_KEY"],
        "Content-Type": "application/json",
    },
)
try:
    with urllib.request.urlopen(request) as response, open("hello.png", "wb") as file:
        file.write(response.read())
except urllib.error.HTTPError as error:
    raise SystemExit(f"{error.code}: {error.read().decode()}")
`;

const GO = `package main

import (
	"io"
	"log"
	"net/http"
	"os"
	"strings"
)

const payload = \`${EXAMPLE_PAYLOAD}\`

func main() {
	request, err := http.NewRequest("POST", os.Getenv("PLATEN_URL")+"/v1/render", strings.NewReader(payload))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("PLATEN_KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		log.Fatalf("%s: %s", response.Status, body)
	}
	if err := os.WriteFile("hello.png", body, 0o644); err != nil {
		log.Fatal(err)
	}
}
`;

const PHP = `<?php
$payload = <<<'JSON'
${EXAMPLE_PAYLOAD}
JSON;

$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'Authorization: Bearer ' . getenv('PLATEN_KEY'),
        'Content-Type: application/json',
    ],
    'content' => $payload,
    'ignore_errors' => true,
]]);
$body = file_get_contents(getenv('PLATEN_URL') . '/v1/render', false, $context);
if ($body === false || !str_contains($http_response_header[0], ' 200 ')) {
    fwrite(STDERR, ($http_response_header[0] ?? 'no answer') . ": $body\\n");
    exit(1);
}
file_put_contents('hello.png', $body);
`;

const RUBY = `require 'json'
require 'net/http'

payload = ${EXAMPLE_PAYLOAD}

response = Net::HTTP.post(
  URI("#{ENV.fetch('PLATEN_URL')}/v1/render"),
  payload.to_json,
  'Authorization' => "Bearer #{ENV.fetch('PLATEN_KEY')}",
  'Content-Type' => 'application/json'
)
abort "#{response.code}: #{response.body}" unless response.is_a?(Net::HTTPOK)
File.binwrite('hello.png', response.body)
`;

export const EXAMPLES: readonly Example[] = [
  { language: 'curl', code: CURL },
  { language: 'JavaScript', file: 'hello.mjs', command: 'node hello.mjs', code: JAVASCRIPT },
  { language: 'Python', file: 'hello.py', command: 'python3 hello.py', code: PYTHON },
  { language: 'Go', file: 'hello.go', command: 'go run hello.go', code: GO },
  { language: 'PHP', file: 'hello.php', command: 'php hello.php', code: PHP },
  { language: 'Ruby', file: 'hello.rb', command: 'ruby hello.rb', code: RUBY },
];

/** Renders a saved template to bytes, where the default is JSON. The reader replaces `TEMPLATE_ID`. */
export const TEMPLATE_EXAMPLE = `curl --fail-with-body "$PLATEN_URL/v1/render" \\
  -H "Authorization: Bearer $PLATEN_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{ "templateId": "TEMPLATE_ID", "variables": { "title": "Hello" }, "responseType": "binary" }' \\
  -o card.png
`;
