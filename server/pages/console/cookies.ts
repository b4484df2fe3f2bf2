/** The console's cookies: for its own pages alone, out of reach of scripts, never sent from another site. */

export interface CookieNames {
  /** Who is signed in. */
  session: string;
  /** Whoever is not signed in yet: what the token of the sign-in form is made of. */
  visitor: string;
  /** What the next page tells. */
  flash: string;
  language: string;
}

/**
 * A browser sends cookies to every port of a host: with the port in their names, two consoles on one host, or behind two
 * tunnels to it, leave each other's alone. `publicUrl` is the configured one, which all servers behind a proxy share; where
 * it is empty, the port is the one that the browser asked.
 */
export function cookieNames(publicUrl: string, asked: URL): CookieNames {
  const { port } = publicUrl === "" ? asked : new URL(publicUrl);
  const session = port === "" ? "fiscal_console" : `fiscal_console_${port}`;
  return {
    session,
    visitor: `${session}_visitor`,
    flash: `${session}_flash`,
    language: `${session}_language`,
  };
}

/** Cookies are few and small: whatever comes beyond is not looked at. */
const HEADER_LENGTH_MAX = 8192;

/** The cookies of a request; of two with one name the first, which browsers send for the longer path. */
export function readCookies(header: string | null): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  if (header === null || header.length > HEADER_LENGTH_MAX) return cookies;
  for (const part of header.split(";")) {
    const at = part.indexOf("=");
    if (at === -1) continue;
    const name = part.slice(0, at).trim();
    if (!cookies.has(name)) cookies.set(name, part.slice(at + 1).trim());
  }
  return cookies;
}

/** A Set-Cookie header. `maxAgeSeconds` 0 takes the cookie away. */
export function setCookie(
  name: string,
  value: string,
  { isHttps, maxAgeSeconds }: { isHttps: boolean; maxAgeSeconds: number },
): string {
  const secure = isHttps ? "; Secure" : "";
  return `${name}=${value}; Path=/console; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
}
