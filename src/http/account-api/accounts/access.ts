import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Credential } from '../../../core/accounts/account.ts';
import type { Accounts } from '../../../core/accounts/accounts.ts';
import { crossOrigin, forbidden, notAuthenticated } from '../../../core/shared/errors.ts';
import type { RequestActor } from '../../../core/shared/requests/actor.ts';
import { type Role, roleReaches } from '../../../core/shared/requests/role.ts';
import type { Viewer } from '../../../core/shared/requests/viewer.ts';
import { recordUser } from '../../shared/server/request-log.ts';

/**
 * The clients that may call a route:
 * - `everybody`: all clients
 * - `open`: all clients, unless the server requires signing in
 * - a role: users with at least this role
 */
export type Access = 'everybody' | 'open' | Role;

export const sessionCookie = 'catalog_session';

/**
 * For each request that `requireRole` accepted: its credential, and the role that its route
 * requires.
 */
const grants = new WeakMap<FastifyRequest, { credential: Credential; role: Role }>();

/**
 * Returns the access of a route on this server. `open` becomes `user` if the server requires
 * signing in.
 */
export function effectiveAccess(
  { requireSignIn }: { requireSignIn: boolean },
  access: Access,
): Access {
  return access === 'open' && requireSignIn ? 'user' : access;
}

/** Returns the `onRequest` hooks that refuse clients who may not call a route with this access. */
export function accessHooks(accounts: Accounts, access: Access) {
  return allowsAnonymous(access) ? [] : [requireRole(accounts, access)];
}

/** Returns true if a route with this access needs no credentials. */
export function allowsAnonymous(access: Access): access is 'everybody' | 'open' {
  return access === 'everybody' || access === 'open';
}

/**
 * Returns an `onRequest` hook, which runs before a body is read. It refuses requests without a
 * valid token and users below `role`. It also refuses a write from a page of another site that
 * sends the session cookie.
 */
export function requireRole(accounts: Accounts, role: Role) {
  return async (request: FastifyRequest): Promise<void> => {
    const presented = presentedToken(request);
    if (presented === null) throw notAuthenticated();
    const credential = await accounts.authenticate(presented.token);
    recordUser(request, credential.user.username);
    if (!roleReaches(credential.user.role, role)) throw forbidden();
    const writes = request.method !== 'GET' && request.method !== 'HEAD';
    if (writes && presented.byCookie && !isSameOrigin(request)) throw crossOrigin();
    grants.set(request, { credential, role });
  };
}

/**
 * Returns the credential that authenticated the request. Throws `not authenticated` unless
 * `requireRole` accepted the request before.
 */
export function credentialOf(request: FastifyRequest): Credential {
  return grantOf(request).credential;
}

/** Returns the user of the request as a viewer; see `credentialOf`. */
export function viewerOf(request: FastifyRequest): Viewer {
  return { userId: credentialOf(request).user.id };
}

/**
 * Returns the actor for a write on behalf of the request's user. The write's transaction checks
 * again that the token is valid and that the user has the required role: `needed`, or else the
 * route's role. Throws `not authenticated` unless `requireRole` accepted the request before.
 */
export function actorOf(request: FastifyRequest, needed?: Role): RequestActor {
  const { credential, role } = grantOf(request);
  const { user, token } = credential;
  const right = { role: needed ?? role, tokenId: token.id };
  return { kind: 'user', userId: user.id, username: user.username, address: request.ip, right };
}

function grantOf(request: FastifyRequest): { credential: Credential; role: Role } {
  const grant = grants.get(request);
  if (grant === undefined) throw notAuthenticated();
  return grant;
}

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
