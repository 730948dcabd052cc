import { Type } from 'typebox';
import type { Accounts } from '../../core/accounts/accounts.ts';
import { invalidField } from '../../core/shared/errors.ts';
import { jsonBody } from '../shared/json-body.ts';
import { actorOf, credentialOf, isSameOrigin, presentedToken, setSessionCookie } from './access.ts';
import { parseBody, type Route } from './route.ts';
import {
  anyField,
  integerId,
  Ok,
  passwordField,
  roleName,
  TokenRecord,
  textField,
} from './schemas.ts';
import { toTokenRecord, toUserRecord } from './users.ts';

const loginBody = jsonBody(
  Type.Object({
    // Any text: a name that nobody can have is refused like any other unknown one.
    username: passwordField,
    password: passwordField,
    cookie: anyField('true to get the token as a cookie, for a web page'),
  }),
);

export function login(accounts: Accounts): Route {
  return {
    summary: 'Exchange username and password for a token',
    body: loginBody,
    answer: Type.Object({
      token: Type.String(),
      username: Type.String(),
      role: roleName,
      user_id: Type.Integer(),
    }),
    errors: [401, 429],
    async handle(request, reply) {
      const body = parseBody(request, loginBody);
      const kind = body.cookie === true ? 'web' : 'api';
      const { user, token } = await accounts.login(
        { username: body.username ?? '', password: body.password ?? '', kind },
        request.ip,
      );
      if (kind === 'web') setSessionCookie(request, reply, token.value, token.expiresAt);
      reply.header('cache-control', 'no-store');
      return { token: token.value, username: user.username, role: user.role, user_id: user.id };
    },
  };
}

export function me(): Route {
  return {
    summary: 'The current user',
    answer: Type.Ref('User'),
    async handle(request) {
      return toUserRecord(credentialOf(request).user);
    },
  };
}

export function logout(accounts: Accounts): Route {
  return {
    summary: 'Revoke the presented token',
    answer: Ok,
    async handle(request, reply) {
      const presented = presentedToken(request);
      // Asked for by a page of another site, it answers alike and does nothing.
      if (presented !== null && (!presented.byCookie || isSameOrigin(request))) {
        await accounts.logout(presented.token, request.ip);
        if (presented.byCookie) setSessionCookie(request, reply, '', null);
      }
      return { ok: true };
    },
  };
}

const passwordBody = jsonBody(Type.Object({ current: passwordField, new: passwordField }));

export function changeOwnPassword(accounts: Accounts): Route {
  return {
    summary: "Change one's own password",
    body: passwordBody,
    answer: Ok,
    errors: [400, 422, 429],
    async handle(request) {
      const body = parseBody(request, passwordBody);
      if (!body.new) throw invalidField('new', 'must not be empty');
      const passwords = { current: body.current ?? '', next: body.new };
      await accounts.changePassword(credentialOf(request).user, passwords, actorOf(request));
      return { ok: true };
    },
  };
}

export function listOwnTokens(accounts: Accounts): Route {
  return {
    summary: "One's own tokens, newest first",
    answer: Type.Object({ items: Type.Array(Type.Ref('Token')) }),
    async handle(request) {
      const tokens = await accounts.listTokens(credentialOf(request).user.id);
      return { items: tokens.map(toTokenRecord) };
    },
  };
}

const tokenBody = jsonBody(
  Type.Object({
    label: textField,
    expires_in_days: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
        description: '0 for no expiry; absent: the lifetime of a login',
      }),
    ),
  }),
);

export function createOwnToken(accounts: Accounts): Route {
  return {
    summary: 'Make a further token for a program; its value is shown once',
    body: tokenBody,
    answer: Type.Object({
      id: Type.Integer(),
      label: Type.String(),
      token: Type.String(),
      expires_at: TokenRecord.properties.expires_at,
    }),
    errors: [422],
    async handle(request, reply) {
      const body = parseBody(request, tokenBody);
      const label = body.label?.trim() || 'token';
      const { user } = credentialOf(request);
      const days = body.expires_in_days ?? undefined;
      const token = await accounts.issueToken(user, label, days, actorOf(request));
      reply.header('cache-control', 'no-store');
      return { id: token.id, label, token: token.value, expires_at: token.expiresAt };
    },
  };
}

const ownTokenParams = Type.Object({ id: integerId });

export function revokeOwnToken(accounts: Accounts): Route {
  return {
    summary: "Revoke one of one's own tokens",
    params: ownTokenParams,
    answer: Ok,
    async handle(request) {
      const { id } = request.params as Type.Static<typeof ownTokenParams>;
      await accounts.revokeToken(credentialOf(request).user.id, id, actorOf(request));
      return { ok: true };
    },
  };
}
