// `platen/jsx`: markup to payloads. Bundlers leave out the parsers where `fromHtml` is not used.
export { fromHtml, type HtmlOptions } from './html/index.js';
export * from './index.js';
