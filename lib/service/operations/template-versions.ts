// Versions of a template: `GET …/versions[/{n}]`, `POST …/restore` and `POST …/publish`.
import { matchesNone, versionTag } from '../../contract/api/headers.js';
import { listQuery, parseQuery, publishQuery } from '../../contract/api/query.js';
import {
  parseVersion,
  parseVersionBody,
  type VersionAnswer,
  type VersionPage,
  type VersionSummary,
} from '../../contract/api/templates.js';
import type { TemplateVersion } from '../../store/types.js';
import { fromStore, versionNotFound } from '../failure.js';
import { emptyAnswer, jsonAnswer } from '../http/answer.js';
import type { WorkspaceOperation } from '../operation.js';
import type { ServiceOptions } from '../request.js';
import { boundedPage } from './bounded-page.js';
import { expectedVersion } from './template-writes.js';
import { addressOf, templateAnswer } from './templates.js';

/** Enough for `{ "version": 7 }`, whatever blanks and unknown fields come with it. */
const MAX_VERSION_BODY_BYTES = 16 * 1024;

export function listTemplateVersions({ store }: ServiceOptions): WorkspaceOperation {
  return {
    scope: 'templates:read',
    window: 'read',
    async run(call) {
      const { limit, cursor } = parseQuery(listQuery, call.query);
      const list = (most: number) => store.listTemplateVersions(addressOf(call), { limit: most, cursor });
      const page = await fromStore(boundedPage(list, limit));
      const answer: VersionPage = { items: page.items.map(summaryOf), nextCursor: page.nextCursor };
      return jsonAnswer(200, answer);
    },
  };
}

export function getTemplateVersion({ store }: ServiceOptions): WorkspaceOperation {
  return {
    scope: 'templates:read',
    window: 'read',
    async run(call) {
      const number = parseVersion(call.parameters.n);
      if (number === undefined) throw versionNotFound();
      const { record, version } = await fromStore(store.getTemplateRecord(addressOf(call), number), versionNotFound);
      const tag = versionTag(number);
      if (matchesNone(call.context.request.ifNoneMatch, tag)) return emptyAnswer(304, [['ETag', tag]]);
      const answer: VersionAnswer = { ...summaryOf(version), record: record as VersionAnswer['record'] };
      return jsonAnswer(200, answer, [['ETag', tag]]);
    },
  };
}

export function restoreTemplate(options: ServiceOptions): WorkspaceOperation {
  return {
    scope: 'templates:write',
    window: 'read',
    maxBodyBytes: MAX_VERSION_BODY_BYTES,
    async run(call) {
      const version = parseVersionBody(await call.json());
      const { publish } = parseQuery(publishQuery, call.query);
      const write = { publish, ifVersion: await expectedVersion(call, options) };
      const restored = options.store.restoreTemplate(addressOf(call), version, write);
      return templateAnswer(await fromStore(restored, versionNotFound), options);
    },
  };
}

export function publishTemplate(options: ServiceOptions): WorkspaceOperation {
  return {
    scope: 'templates:write',
    window: 'read',
    maxBodyBytes: MAX_VERSION_BODY_BYTES,
    async run(call) {
      const version = parseVersionBody(await call.json());
      const ifVersion = await expectedVersion(call, options);
      const published = options.store.publishTemplate(addressOf(call), version, ifVersion);
      return templateAnswer(await fromStore(published, versionNotFound), options);
    },
  };
}

function summaryOf({ version, name, width, height, hotspots, createdAt }: TemplateVersion): VersionSummary {
  return { version, createdAt, name, width, height, hotspots: [...hotspots] };
}
