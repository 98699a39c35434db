// Case mapping of ASCII letters alone, for keywords, schemes and the like.

/** Maps A–Z to a–z, and leaves all other characters as they are: a Kelvin sign is no k. */
export function asciiLowercase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Maps a–z to A–Z. */
export function asciiUppercase(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}
