import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Credential } from '../../core/accounts/account.ts';
import type { Accounts } from '../../core/accounts/accounts.ts';
import { notAuthenticated } from '../../core/shared/errors.ts';

/** The credential of a request, and the token that the client sent. */
export interface BasicGrant {
  readonly credential: Credential;
  readonly token: string;
  /** When the token was checked; a time of `performance.now()`. */
  readonly checkedAt: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `requireBasic` if it accepts the request. */
    basicGrant: BasicGrant | undefined;
  }
}

/**
 * Returns an `onRequest` hook for Basic authentication (RFC 7617). The hook refuses requests
 * without a user name and, as the password, an API token of that user.
 */
export function requireBasic(accounts: Accounts) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const sent = basicCredentials(request.headers.authorization ?? '');
    reply.header('www-authenticate', 'Basic realm="Catalog", charset="UTF-8"');
    if (sent === null) throw notAuthenticated();
    const checkedAt = performance.now();
    const credential = await accounts.authenticateByName(sent, request.ip);
    reply.removeHeader('www-authenticate');
    request.username = credential.user.username;
    request.basicGrant = { credential, token: sent.token, checkedAt };
  };
}

/** Throws `not authenticated` unless `requireBasic` accepted the request before. */
export function basicGrantOf({ basicGrant }: FastifyRequest): BasicGrant {
  if (basicGrant === undefined) throw notAuthenticated();
  return basicGrant;
}

function basicCredentials(authorization: string): { username: string; token: string } | null {
  const [scheme = '', encoded = ''] = authorization.trim().split(/\s+/, 2);
  if (scheme.toLowerCase() !== 'basic') return null;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return colon < 0 ? null : { username: text.slice(0, colon), token: text.slice(colon + 1) };
}
