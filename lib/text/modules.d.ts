// Packages of this room that ship without usable types: only what is used of them.

declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string);
    /** The next place where a line may (or, `required`, must) end, as a UTF-16 index; null at the end. */
    nextBreak(): { position: number; required: boolean } | null;
  }
}
