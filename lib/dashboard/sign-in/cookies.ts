// Cookies that only this server's own pages send.

/** The value of the cookie `name`. Of two with this name one may be another site's, so neither counts. */
export function readCookie(header = '', name: string): string | undefined {
  const values = header.split(';').flatMap((pair) => {
    const [key, value] = pair.trim().split('=', 2);
    return key === name ? [value ?? ''] : [];
  });
  return values.length === 1 ? values[0] : undefined;
}

/** The value of Set-Cookie; 0 seconds end the cookie. */
export function setCookie(name: string, value: string, seconds: number, isSecure: boolean): string {
  return `${name}=${value}; Max-Age=${seconds}; HttpOnly; SameSite=Strict; Path=/${isSecure ? '; Secure' : ''}`;
}

/** With the prefix, no other host and no page without TLS can set the cookie. */
export function cookieName(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name;
}
