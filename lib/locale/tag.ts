// Language tags: which are well-formed, and their parts.

/** A well-formed tag of BCP 47, without grandfathered ones, and without private ones alone. */
const TAG = new RegExp(
  '^(?<language>[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4}|[a-z]{5,8})' +
    '(?:-(?<script>[a-z]{4}))?(?:-(?<region>[a-z]{2}|\\d{3}))?' +
    '(?<rest>(?:-(?:[a-z\\d]{5,8}|\\d[a-z\\d]{3}))*(?:-[a-wyz\\d](?:-[a-z\\d]{2,8})+)*(?:-x(?:-[a-z\\d]{1,8})+)?)$',
  'i',
);

/** Maximum characters of a tag. */
export const MAX_TAG_LENGTH = 64;

export function isLanguageTag(tag: unknown): tag is string {
  return typeof tag === 'string' && tag.length <= MAX_TAG_LENGTH && TAG.test(tag);
}

/** The language, script and region of a well-formed tag, as they are written, and what follows them. */
export function tagParts(tag: string): {
  readonly language: string;
  readonly script: string | undefined;
  readonly region: string | undefined;
  readonly rest: string;
} {
  const { language = '', script, region, rest = '' } = TAG.exec(tag)?.groups ?? {};
  return { language, script, region, rest };
}
