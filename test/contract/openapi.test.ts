// The OpenAPI document: structure, linter, schemas, and agreement with the table of errors.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import t from 'tap';
import { z } from 'zod';
import { ERRORS } from '../../lib/contract/api/errors.js';
import { TEMPLATE_REQUEST } from '../../lib/contract/api/operations/examples.js';
import { linkedImage } from '../../lib/contract/api/operations/images.js';
import { OPERATIONS as WITH_KEYS } from '../../lib/contract/api/operations/index.js';
import { errorsOf } from '../../lib/contract/api/operations/operation.js';
import { errorBody, paywallBody, renderResponse } from '../../lib/contract/api/response.js';
import { openapi } from '../../lib/contract/openapi.js';

const OPERATIONS = [...WITH_KEYS, linkedImage];

type Node = { [key: string]: Node };
const document = openapi() as unknown as Node;
const operation = document.paths['/v1/render'].post;
const schemas = document.components.schemas;

t.test('has the expected version, paths, servers and security', async (t) => {
  t.match(document.openapi, /^3\.1\.\d+$/);
  t.type(document.info.title, 'string');
  t.type(document.info.version, 'string');
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const expected = [...OPERATIONS.map(({ method, path }) => `${method} ${path}`), 'GET /healthz', 'GET /readyz'];
  t.same(operations.sort(), expected.sort());
  for (const probe of ['/healthz', '/readyz']) {
    const { responses, security } = document.paths[probe].get;
    t.same(Object.keys(responses), ['200', '431', '503']);
    t.same(security, [], 'without a key');
  }
  t.equal(operation.requestBody.required, true);
  t.same(document.servers, [{ url: '/', description: 'This server' }]);
  t.same(document.security, [{ apiKey: [] }]);
  t.same(operation.security, [{ apiKey: ['render:write'] }]);
  t.same(document.paths['/v1/workspace'].get.security, [{ apiKey: [] }], 'any valid key');
  t.equal(document.components.securitySchemes.apiKey.scheme, 'bearer');
  t.equal(JSON.stringify(openapi()), JSON.stringify(document));
});

t.test('passes Redocly’s linter with recommendations as errors', async (t) => {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const lint = async (document: unknown) => {
    const problems = await lintFromString({ source: JSON.stringify(document), config });
    return problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`);
  };
  t.same(await lint(document), []);
  const { servers: _servers, ...homeless } = document;
  t.match((await lint(homeless)).join('\n'), /^no-empty-servers /m, 'the linter reports missing servers');
});

t.test('contains no bound that only limits the integer type', async (t) => {
  t.notMatch(JSON.stringify(document), String(Number.MAX_SAFE_INTEGER));
  t.strictSame(schemas.TextLayer.properties.maxLines.minimum, 1);
  t.notOk('maximum' in schemas.TextLayer.properties.maxLines);
});

t.test('every reference resolves to a non-empty schema', async (t) => {
  const references: string[] = [];
  const dialects: string[] = [];
  const walk = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key === '$ref') references.push(String(value));
      if (key === '$id' || key === '$schema') dialects.push(String(value));
      walk(value);
    }
  };
  walk(document);
  const known = ['schemas', 'headers', 'parameters'].flatMap((kind) =>
    Object.keys(document.components[kind]).map((name) => `#/components/${kind}/${name}`),
  );
  t.same(
    references.filter((reference) => !known.includes(reference)),
    [],
  );
  t.same(
    known.filter((name) => !references.includes(name)),
    [],
    'none is unused',
  );
  t.ok(references.length > 10);
  t.same(dialects, []);
  for (const [name, schema] of Object.entries(schemas)) t.ok(schema.properties ?? schema.oneOf ?? schema.anyOf, name);
});

t.test('fields, bounds and defaults equal those of the zod schemas', async (t) => {
  t.same(schemas.CanvasRequest.required, ['canvas', 'layers']);
  t.same(schemas.TemplateRequest.required, ['templateId']);
  t.match(schemas.CanvasRequest.properties.canvas.properties.width, { type: 'integer', minimum: 1, maximum: 8192 });
  t.match(schemas.CanvasRequest.properties.quality, { type: 'number', minimum: 1, maximum: 100, default: 90 });
  t.same(schemas.CanvasRequest.properties.format.enum, ['png', 'jpeg', 'jpg', 'webp', 'avif']);
  t.equal(schemas.CanvasRequest.properties.responseType.default, 'binary');
  t.equal(schemas.TemplateRequest.properties.responseType.default, 'json');
  t.equal(schemas.Layer.oneOf.length, 9);
  t.same(schemas.TextLayer.required, ['type', 'width', 'height']);
  t.match(schemas.QrcodeLayer.properties.colorLight, { type: 'string', default: '#ffffff' });
  t.match(schemas.ShapeLayer.properties.opacity, { minimum: 0, maximum: 1, default: 1 });
});

t.test('a schema generated from the document accepts what the contract accepts', async (t) => {
  const layer = z.fromJSONSchema(JSON.parse(JSON.stringify(schemas.TextLayer)));
  const sound = { type: 'text', x: 0, y: 0, width: 1, height: 1, text: 'a', fontWeight: '700', zIndex: 1 };
  t.equal(layer.safeParse(sound).success, true);
  t.equal(layer.safeParse({ ...sound, opacity: 2 }).success, false);
  t.equal(layer.safeParse({ ...sound, width: undefined }).success, false);
});

t.test('every error of the table is an answer of some operation', async (t) => {
  const elsewhere = ['not_found', 'method_not_allowed'];
  const answered = new Set<string>(OPERATIONS.flatMap(errorsOf));
  t.same(
    Object.keys(ERRORS).filter((code) => !answered.has(code)),
    elsewhere,
  );
  for (const described of OPERATIONS) {
    const { responses } = document.paths[described.path][described.method.toLowerCase()];
    for (const code of errorsOf(described)) t.match(responses[String(ERRORS[code].status)].description, code);
  }
  t.match(operation.responses['400'].description, 'invalid_json (sent without code)');
  t.match(document.paths['/v1/templates'].post.responses['400'].description, 'invalid_json:');
  t.same(document.components.headers['Retry-After'].schema, { type: 'integer' });
  t.same(Object.keys(operation.responses['429'].headers), ['Retry-After']);
  t.same(operation.responses['402'].content['application/json'].schema, { $ref: '#/components/schemas/PaywallError' });
  t.same(Object.keys(operation.responses['200'].content), [
    'application/json',
    'image/png',
    'image/jpeg',
    'image/webp',
    'image/avif',
  ]);
});

t.test('response and error bodies match their schemas', async (t) => {
  const billing = { creditsRemaining: 9, rendersRemaining: 9, creditsCost: 1, watermarked: false, isFreeTier: false };
  const answer = {
    success: true,
    format: 'png',
    width: 1,
    height: 1,
    alt: 'A card',
    durationMs: 1.5,
    sizeBytes: 70,
    base64: 'AA==',
    dataUrl: 'data:image/png;base64,AA==',
    billing,
    renderId: 'r',
    sha256: 'h',
    metadata: { a: 1 },
    warnings: [{ code: 'unknown_field', path: 'layers[0]', message: 'm' }],
  };
  t.strictSame(renderResponse.parse(answer), answer);
  t.equal(renderResponse.safeParse({ ...answer, format: 'jpg' }).success, false);
  t.equal(errorBody.safeParse({ success: false, error: 'no', code: 'nonsense' }).success, false);
  t.equal(errorBody.safeParse({ success: false, error: 'no' }).success, true);
  const paywall = {
    required: true,
    reason: 'CREDITS_EXHAUSTED',
    balance: 0,
    rendersRemaining: 0,
    upgradeUrl: '/b',
    message: 'm',
  };
  t.equal(paywallBody.safeParse({ success: false, error: 'no', paywall }).success, true);
});

t.test('the parameters are those of the queries, paths and headers', async (t) => {
  const list = document.paths['/v1/renders'].get.parameters as unknown as Node[];
  t.same(
    list.map(({ name }) => name),
    ['limit', 'cursor', 'status', 'templateId', 'keyId', 'from', 'to', 'metadata'],
  );
  t.strictSame(list[0], {
    name: 'limit',
    in: 'query',
    description: 'most entries of one answer',
    schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
  });
  const put = document.paths['/v1/templates/{id}'].put.parameters as unknown as Node[];
  t.same(
    put.map(({ name, $ref }) => name ?? $ref),
    ['id', 'publish', '#/components/parameters/If-Match'],
  );
  for (const { path, parameters = {} } of OPERATIONS) {
    const named = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name);
    t.same(named, Object.keys(parameters), path);
  }
});

t.test('every example passes its schema', async (t) => {
  const validator = new Ajv2020({ strict: false, validateFormats: false });
  validator.addSchema(document, 'openapi');
  const check = (name: string, example: unknown, title: string) => {
    const valid = validator.validate(`openapi#/components/schemas/${name}`, example);
    t.ok(valid, `${title} ${name} ${validator.errorsText()}`);
    // the schemas let other fields pass
    const known = Object.keys(schemas[name].properties ?? {});
    t.same(
      Object.keys(example as object).filter((key) => !known.includes(key)),
      [],
      title,
    );
  };
  for (const { id, body, answers } of OPERATIONS) {
    for (const { schema, example } of answers) if (schema) check(schema, example, id);
    if (body?.schemas.length) check(body.schemas[0], body.example, id);
  }
  check('TemplateRequest', TEMPLATE_REQUEST, 'render');
});
