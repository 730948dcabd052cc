import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Credential } from '../../core/accounts/account.ts';
import type { Accounts } from '../../core/accounts/accounts.ts';
import type { RequestActor } from '../../core/shared/actor.ts';
import { crossOrigin, forbidden, notAuthenticated } from '../../core/shared/errors.ts';
import { type Role, roleReaches } from '../../core/shared/role.ts';
import { noteUser } from '../shared/note-answers.ts';

/**
 * Who may call a route: everybody; everybody unless the server requires signing in (`open`); or users of this role and
 * above.
 */
export type Access = 'everybody' | 'open' | Role;

export const sessionCookie = 'catalog_session';

/** The credential of a request, and the role that its route needs. */
const granted = new WeakMap<FastifyRequest, { credential: Credential; role: Role }>();

/** The access of a route on a server that requires signing in, or does not. */
export function accessOn({ requireSignIn }: { requireSignIn: boolean }, access: Access): Access {
  return access === 'open' && requireSignIn ? 'user' : access;
}

/** The `onRequest` hooks that refuse who may not call a route of this access. */
export function accessHooks(accounts: Accounts, access: Access) {
  return needsNobody(access) ? [] : [requireRole(accounts, access)];
}

/** Whether a route of this access asks for no credentials. */
export function needsNobody(access: Access): access is 'everybody' | 'open' {
  return access === 'everybody' || access === 'open';
}

/** An `onRequest` hook that refuses users below `role` and requests without a live token, before a body is read. */
export function requireRole(accounts: Accounts, role: Role) {
  return async (request: FastifyRequest): Promise<void> => {
    const presented = presentedToken(request);
    if (presented === null) throw notAuthenticated();
    const credential = await accounts.authenticate(presented.token);
    noteUser(request, credential.user.username);
    if (!roleReaches(credential.user.role, role)) throw forbidden();
    const writes = request.method !== 'GET' && request.method !== 'HEAD';
    if (writes && presented.byCookie && !isSameOrigin(request)) throw crossOrigin();
    granted.set(request, { credential, role });
  };
}

/** Who sent the request; only behind `requireRole`. */
export function credentialOf(request: FastifyRequest): Credential {
  return grantOf(request).credential;
}

/**
 * Who writes for the request. The transaction of the write checks again that the token is live and the user has the
 * role: that of the route, unless what the request asks for needs a higher one. Only behind `requireRole`.
 */
export function actorOf(request: FastifyRequest, needed?: Role): RequestActor {
  const { credential, role } = grantOf(request);
  const { user, token } = credential;
  const right = { role: needed ?? role, tokenId: token.id };
  return { kind: 'user', userId: user.id, username: user.username, address: request.ip, right };
}

function grantOf(request: FastifyRequest): { credential: Credential; role: Role } {
  const grant = granted.get(request);
  if (grant === undefined) throw notAuthenticated();
  return grant;
}

/**
 * The token of a request (account-api.md, endpoint 3, and decisions.md): from an `Authorization` header that starts
 * with `Bearer ` and has something after it, else from the cookie.
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

/** The token of an `Authorization` header; "" where it has none. */
export function bearerToken(authorization: string): string {
  return authorization.startsWith('Bearer ') ? authorization.slice(7).trim() : '';
}

/** Whether a browser says that the page which asks is this server's own; other programs say nothing. */
export function isSameOrigin(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = request.headers;
  if (origin === undefined) return true;
  const asked = `${request.protocol}://${request.host}`;
  if (!URL.canParse(origin) || !URL.canParse(asked)) return false;
  return new URL(origin).host === new URL(asked).host;
}

/** The cookie for a browser; it ends with its token. An empty value removes it. `path` is the server's; "" for the root. */
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
