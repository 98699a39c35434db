// `platen templates …`: a workspace's templates and their versions.
import { listSizes } from '../../contract/template/sizes.js';
import type { TemplateDraft, VersionedTemplate } from '../../store/types.js';
import { EXIT } from '../errors.js';
import { UsageError } from '../parse-options.js';
import { readPayload } from '../payload.js';
import { type CommandOutput, formatJson, formatRecord, formatTable } from '../print.js';
import { interruptible } from '../signals.js';
import { type AdminSession, type Commands, inStore, listOutput } from './command.js';
import { readPages } from './pages.js';

const FILE = 'the template: a JSON file, or - for standard input';
const ID = 'a template id';
const ID_OR_VERSION = 'a template id, or ID@VERSION';
const ID_AND_VERSION = { operands: 'a template id and a version', count: 2 };

export const TEMPLATES: Commands = {
  'templates import': {
    options: ['workspace', 'draft'],
    operands: FILE,
    parse(args) {
      const [source] = args.operands;
      const workspace = args.text('workspace');
      const publish = !args.flag('draft');
      return async (session) => {
        // An invalid template must not create or lock anything, so it is checked before the store is opened.
        const draft = await readDraft(source, session);
        return await session.withStore(async (store) =>
          templateOutput(await store.createTemplate(workspace, draft, { publish })),
        );
      };
    },
  },
  'templates update': {
    options: ['draft'],
    operands: `${ID} and ${FILE}`,
    count: 2,
    parse(args) {
      const [id, source] = args.operands;
      const publish = !args.flag('draft');
      return async (session) => {
        const draft = await readDraft(source, session);
        return await session.withStore(async (store) =>
          templateOutput(await store.replaceTemplate({ id }, draft, { publish })),
        );
      };
    },
  },
  'templates list': {
    options: ['workspace'],
    parse(args) {
      const workspace = args.optional('workspace');
      const columns = ['id', 'workspaceId', 'name', 'width', 'height', 'version', 'publishedVersion', 'updatedAt'];
      return inStore(async (store) => {
        const templates = await readPages((page) => store.listTemplates(workspace, page));
        const { text } = listOutput(templates.map(printed), columns, 'no templates');
        return { value: templates, text };
      });
    },
  },
  'templates versions': {
    operands: ID,
    parse({ operands: [id] }) {
      const columns = ['version', 'published', 'name', 'width', 'height', 'createdAt'];
      return inStore(async (store) => {
        const { publishedVersion } = await store.getTemplate({ id });
        const versions = await readPages((page) => store.listTemplateVersions({ id }, page));
        const rows = versions.map((each) => ({ ...each, published: each.version === publishedVersion ? 'yes' : '' }));
        return { value: versions, text: listOutput(rows, columns, 'no versions').text };
      });
    },
  },
  'templates show': {
    operands: ID_OR_VERSION,
    parse(args) {
      const { id, version } = args.templateReference(0);
      return inStore(async (store) => {
        const template = await store.getTemplate({ id });
        const { record, version: printedVersion } = await store.getTemplateRecord({ id }, version ?? template.version);
        if (version === undefined) return withHotspots(template, record);
        const { workspaceId, publishedVersion } = template;
        const { name, width, height, hotspots, createdAt } = printedVersion;
        const fields = { id, workspaceId, name, width, height, hotspots, version, publishedVersion, createdAt };
        return withHotspots(fields, record);
      });
    },
  },
  'templates export': {
    operands: ID_OR_VERSION,
    parse(args) {
      const { id, version } = args.templateReference(0);
      return inStore(async (store) => {
        const { record } = await store.getTemplateRecord({ id }, version);
        return { value: record, text: formatJson(record) };
      });
    },
  },
  'templates restore': {
    options: ['draft'],
    ...ID_AND_VERSION,
    parse(args) {
      const [id] = args.operands;
      const version = args.version(1);
      const publish = !args.flag('draft');
      return inStore(async (store) => templateOutput(await store.restoreTemplate({ id }, version, { publish })));
    },
  },
  'templates publish': {
    ...ID_AND_VERSION,
    parse(args) {
      const [id] = args.operands;
      const version = args.version(1);
      return inStore(async (store) => templateOutput(await store.publishTemplate({ id }, version)));
    },
  },
  'templates delete': {
    operands: ID,
    parse({ operands: [id] }) {
      return inStore(async (store) => templateOutput(await store.deleteTemplate({ id })));
    },
  },
  'templates lint': {
    operands: 'a template: a JSON file, - for standard input, or a template id',
    parse({ operands: [source] }) {
      return async (session) => {
        const [{ isFailed, lintDesign }, { readRecord }] = await Promise.all([
          import('../commands/lint.js'),
          import('./compare.js'),
        ]);
        return await interruptible(session.context, async () => {
          const findings = await lintDesign(await readRecord(source, session), session);
          const output = listOutput(findings, ['severity', 'code', 'path', 'message'], 'no findings');
          return { ...output, code: isFailed(findings, 'warning') ? EXIT.failed : EXIT.done };
        });
      };
    },
  },
  'templates diff': {
    options: ['output'],
    operands: 'two templates: JSON files or template ids',
    count: 2,
    parse(args) {
      const [before, after] = args.operands;
      const output = args.optional('output');
      if (before === '-' && after === '-') throw new UsageError("the two templates can't both be standard input");
      if (output !== undefined && !output.toLowerCase().endsWith('.png')) {
        throw new UsageError(`--output: received "${output}", expected a .png file`);
      }
      return async (session) => {
        const { diff } = await import('./compare.js');
        return await interruptible(session.context, () => diff([before, after], output, session));
      };
    },
  },
};

/** Reads and checks a template, which is stored unchanged. Throws a RenderError that lists all issues. */
async function readDraft(source: string, { context, settings }: AdminSession): Promise<TemplateDraft> {
  const { value } = await readPayload(source, context);
  await (await import('../../load-data.js')).loadDataFor(value);
  const { draftOf } = await import('../../templates/draft.js');
  return draftOf(value, { maxLayers: settings.MAX_LAYERS });
}

type ShownTemplate = Omit<VersionedTemplate, 'updatedAt'>;

function templateOutput(template: ShownTemplate): CommandOutput {
  return { value: template, text: formatRecord(printed(template)) };
}

/** Adds the hotspots, whose keys and labels are the names of the variables, and the sizes of the record. */
function withHotspots(template: ShownTemplate, record: unknown): CommandOutput {
  const sizes = listSizes(record);
  const { text } = templateOutput(template);
  const hotspots = template.hotspots.map((each) => ({ ...each }));
  const tables = [
    formatTable(hotspots, ['key', 'label', 'type'], 'no hotspots'),
    ...(sizes.length > 0 ? [formatTable(sizes, ['size', 'width', 'height'], '')] : []),
  ];
  return { value: { ...template, ...(sizes.length > 0 && { sizes }) }, text: [text, ...tables].join('\n') };
}

/** The fields that fit a line. */
function printed({ hotspots: _hotspots, ...fields }: ShownTemplate) {
  return { ...fields, publishedVersion: fields.publishedVersion ?? 'none' };
}
