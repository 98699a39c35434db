// `platen assets …`: the pictures and fonts of a workspace.
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CodedError, codedError, ServiceError } from '../../errors.js';
import { systemReason } from '../errors.js';
import { type AdminSession, type Commands, inStore, listOutput, recordOutput } from './command.js';
import { readPages } from './pages.js';

const COLUMNS = ['id', 'kind', 'mimeType', 'bytes', 'width', 'height', 'family', 'weight', 'style', 'createdAt'];

const MEBIBYTE = 2 ** 20;

export const ASSETS: Commands = {
  'assets add': {
    options: ['workspace'],
    operands: 'a file: an image or a font',
    parse(args) {
      const [file] = args.operands;
      const workspaceId = args.text('workspace');
      return async (session) => {
        const content = await readAsset(file, session);
        const sha256 = createHash('sha256').update(content).digest('hex');
        const fields = { workspaceId, sha256, ...(await inspect(file, content, session)) };
        const quota = session.settings.ASSET_QUOTA_MB * MEBIBYTE;
        return await session.withStore(async (store) => {
          const { asset, isNew } = await store.addAsset(fields, content, quota);
          const output = recordOutput(asset);
          return isNew ? output : { ...output, text: `${output.text}The workspace had this file already.\n` };
        });
      };
    },
  },
  'assets list': {
    options: ['workspace'],
    parse(args) {
      const workspace = args.text('workspace');
      return inStore(async (store) => {
        const assets = await readPages((page) => store.listAssets(workspace, page));
        return listOutput(assets, COLUMNS, 'no assets');
      });
    },
  },
  'assets delete': {
    options: ['workspace', 'force'],
    operands: 'an asset id',
    parse(args) {
      const [id] = args.operands;
      const workspace = args.text('workspace');
      const force = args.flag('force');
      return inStore(async (store) => recordOutput(await store.deleteAsset(workspace, id, { force })));
    },
  },
};

/** Throws RenderError, which names the file. */
async function readAsset(file: string, { context, settings }: AdminSession): Promise<Uint8Array> {
  const path = resolve(context.directory, file);
  const limit = settings.ASSET_MAX_BYTES;
  try {
    const { size } = await stat(path);
    if (size <= limit) return await readFile(path);
    throw new ServiceError('payload_too_large', `received ${size} bytes, expected at most ${limit} (ASSET_MAX_BYTES)`);
  } catch (cause) {
    throw withName(file, cause);
  }
}

/** Inspects a file. It is decoded in a separate process, like all untrusted files. Throws RenderError. */
async function inspect(file: string, content: Uint8Array, { settings }: AdminSession) {
  const { inspectInProcess } = await import('../../workers/inspect-asset.js');
  const limits = { maxPixels: settings.ASSET_MAX_PIXELS, timeoutMs: settings.RENDER_TIMEOUT_MS };
  try {
    return await inspectInProcess(content, limits);
  } catch (cause) {
    throw withName(file, cause);
  }
}

function withName(file: string, cause: unknown): CodedError {
  const code = cause instanceof CodedError ? cause.code : 'invalid_request';
  return codedError(code, `${file}: ${cause instanceof CodedError ? cause.message : systemReason(cause)}`, {
    cause,
  });
}
