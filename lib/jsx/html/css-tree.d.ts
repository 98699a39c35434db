// The parser alone, without the tables of CSS's syntax, which are megabytes.
declare module 'css-tree/parser' {
  import type { parse } from 'css-tree';

  const parser: typeof parse;
  export default parser;
}
