import type { FastifyReply, FastifyRequest } from 'fastify';

export const sessionCookie = 'catalog_session';

/**
 * Returns the token of a request, or null if the request has no token. A token after `Bearer ` in
 * the `Authorization` header takes precedence over the cookie (account-api.md, endpoint 3;
 * docs/api/decisions.md).
 */
export function presentedToken(
  request: FastifyRequest,
): { token: string; byCookie: boolean } | null {
  const { authorization = '', cookie = '' } = request.headers;
  const bearer = bearerToken(authorization);
  if (bearer !== '') return { token: bearer, byCookie: false };
  for (const pair of cookie.split(';')) {
    const [name = '', ...value] = pair.split('=');
    if (name.trim() !== sessionCookie) continue;
    const token = value.join('=').trim();
    if (token !== '') return { token, byCookie: true };
  }
  return null;
}

/** Returns the token after `Bearer ` in an `Authorization` header, or "" if there is none. */
export function bearerToken(authorization: string): string {
  return authorization.startsWith('Bearer ') ? authorization.slice(7).trim() : '';
}

/**
 * Returns true if the request comes from a page of this server, according to the browser's headers.
 * Also returns true for clients that send no such headers.
 */
export function isSameOrigin(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = request.headers;
  if (origin === undefined) return true;
  const requested = `${request.protocol}://${request.host}`;
  if (!URL.canParse(origin) || !URL.canParse(requested)) return false;
  return new URL(origin).host === new URL(requested).host;
}

/**
 * Sets the session cookie of the browser. The cookie expires with its token. An empty `value`
 * removes the cookie. `path` is the server's base path; "" for the root.
 */
export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { value, expiresAt, path }: { value: string; expiresAt: string | null; path: string },
): void {
  const parts = [`${sessionCookie}=${value}`, 'HttpOnly', 'SameSite=Strict', `Path=${path || '/'}`];
  if (request.protocol === 'https') parts.push('Secure');
  if (value === '') parts.push('Max-Age=0');
  else if (expiresAt !== null) parts.push(`Max-Age=${secondsUntil(expiresAt)}`);
  reply.header('set-cookie', parts.join('; '));
}

function secondsUntil(timestamp: string): number {
  return Math.max(0, Math.round((Date.parse(timestamp) - Date.now()) / 1000));
}
