import type { FastifyRequest } from 'fastify';
import type { Credential } from '../../../core/accounts/account.ts';
import type { Accounts } from '../../../core/accounts/accounts.ts';
import { crossOrigin, forbidden, notAuthenticated } from '../../../core/shared/errors.ts';
import type { RequestActor } from '../../../core/shared/requests/actor.ts';
import { type Role, roleReaches } from '../../../core/shared/requests/role.ts';
import type { Viewer } from '../../../core/shared/requests/viewer.ts';
import { isSameOrigin, presentedToken } from './presented-token.ts';

/** The credential of a request, and the role that its route requires. */
interface Grant {
  readonly credential: Credential;
  readonly role: Role;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `requireRole` if it accepts the request. */
    grant: Grant | undefined;
  }
}

/**
 * The clients that may call a route:
 * - `everybody`: all clients
 * - `open`: all clients, unless the server requires signing in
 * - a role: users with at least this role
 */
export type Access = 'everybody' | 'open' | Role;

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
    request.username = credential.user.username;
    if (!roleReaches(credential.user.role, role)) throw forbidden();
    const writes = request.method !== 'GET' && request.method !== 'HEAD';
    if (writes && presented.byCookie && !isSameOrigin(request)) throw crossOrigin();
    request.grant = { credential, role };
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

function grantOf({ grant }: FastifyRequest): Grant {
  if (grant === undefined) throw notAuthenticated();
  return grant;
}
