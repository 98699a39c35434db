// Reads and writes cookies that only this server's pages can send.

/** Reads the cookie `name`. If two cookies have this name, one may come from another site, so neither counts. */
export function readCookie(header = '', name: string): string | undefined {
  const values = header.split(';').flatMap((pair) => {
    const [key, value] = pair.trim().split('=', 2);
    return key === name ? [value ?? ''] : [];
  });
  return values.length === 1 ? values[0] : undefined;
}

/** Builds the value of Set-Cookie; 0 seconds delete the cookie. */
export function setCookie(name: string, value: string, seconds: number, isSecure: boolean): string {
  return `${name}=${value}; Max-Age=${seconds}; HttpOnly; SameSite=Strict; Path=/${isSecure ? '; Secure' : ''}`;
}

/** Adds the prefix that keeps other hosts, and pages without TLS, from setting the cookie. */
export function cookieName(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name;
}
