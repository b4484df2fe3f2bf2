/** The console's cookies: limited to its own pages, inaccessible to scripts, never sent from other sites. */

export interface CookieNames {
  /** The session token. */
  session: string;
  /** The secret behind the CSRF token before sign-in. */
  visitor: string;
  /** The message for the next page. */
  flash: string;
  language: string;
  /** The merchant that the browser works for. */
  merchant: string;
}

/**
 * Browsers send cookies to every port of a host. With the port in their names, two consoles on one host, or behind two
 * tunnels to it, do not overwrite each other's. `publicUrl` is the configured one, which all servers behind a proxy share; if
 * it is empty, the port of the request counts.
 */
export function cookieNames(publicUrl: string, asked: URL): CookieNames {
  const { port } = publicUrl === "" ? asked : new URL(publicUrl);
  const session = port === "" ? "fiscal_console" : `fiscal_console_${port}`;
  return {
    session,
    visitor: `${session}_visitor`,
    flash: `${session}_flash`,
    language: `${session}_language`,
    merchant: `${session}_merchant`,
  };
}

/** A Set-Cookie header. `maxAgeSeconds` 0 deletes the cookie. */
export function setCookie(
  name: string,
  value: string,
  { isHttps, maxAgeSeconds }: { isHttps: boolean; maxAgeSeconds: number },
): string {
  const secure = isHttps ? "; Secure" : "";
  return `${name}=${value}; Path=/console; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
}
