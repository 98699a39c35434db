// All operations of the API, in the order of the documentation.
import { addAsset, deleteAsset, getAsset, listAssets } from './assets.js';
import { renderBatch } from './batches.js';
import { getBrand, replaceBrand } from './brand.js';
import { listFonts } from './fonts.js';
import type { Operation } from './operation.js';
import { getRender, getWorkspace, inspect, listRenders, render, renderDocument } from './renders.js';
import {
  createTemplate,
  deleteTemplate,
  getTemplate,
  getTemplateSchema,
  getVersion,
  listTemplates,
  listVersions,
  publishVersion,
  replaceTemplate,
  restoreVersion,
} from './templates.js';

export const OPERATIONS: readonly Operation[] = [
  render,
  renderDocument,
  inspect,
  renderBatch,
  listRenders,
  getRender,
  listTemplates,
  createTemplate,
  getTemplate,
  getTemplateSchema,
  replaceTemplate,
  deleteTemplate,
  listVersions,
  getVersion,
  restoreVersion,
  publishVersion,
  addAsset,
  listAssets,
  getAsset,
  deleteAsset,
  getBrand,
  replaceBrand,
  listFonts,
  getWorkspace,
];
