// Lists, conditions, components, tokens and expressions: what templates load when a payload has any of it.
export { checkData, checkDefinitions, countWrittenLayers, type DataFields } from './check.js';
export { VariableReader } from './declarations.js';
export { Expansion } from './expansion.js';
export type { FillPlaceholders, OriginalLayer } from './resolver.js';
export { Tokens, themeIssues, tokenIssues } from './tokens.js';
