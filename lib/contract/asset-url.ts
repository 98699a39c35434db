// `asset:ID`: the URL of a picture or font of the caller's workspace, in `url` and `customFontUrl`.

/** The id in an `asset:ID` URL; undefined for anything else. */
export function assetIdOf(url: string): string | undefined {
  return /^asset:(asset_[0-9A-Za-z_-]{1,64})$/.exec(url)?.[1];
}

export function assetUrl(id: string): string {
  return `asset:${id}`;
}
