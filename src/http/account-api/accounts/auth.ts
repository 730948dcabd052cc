import { Type } from 'typebox';
import {
  invalidCredentials,
  invalidField,
  tooManyAttempts,
  tooManyTokens,
  wrongPassword,
} from '../../../core/shared/errors.ts';
import { pageOf, pageQuery } from '../paging.ts';
import { include, unknownInclude, wantedFields } from '../releases/include.ts';
import { route } from '../route.ts';
import {
  anyField,
  integerId,
  Ok,
  passwordField,
  roleName,
  TokenRecord,
  textField,
} from '../schemas.ts';
import { actorOf, credentialOf } from './access.ts';
import { isSameOrigin, presentedToken, setSessionCookie } from './presented-token.ts';
import { toTokenRecord, toUserRecord } from './users.ts';

export const login = route({
  summary: 'Exchange username and password for a token',
  body: Type.Object({
    // Accept any text: a name that no user can have is refused like any other unknown name.
    username: passwordField,
    password: passwordField,
    cookie: anyField(
      Type.Boolean({ description: 'true to get the token as a cookie too, for a web page' }),
    ),
  }),
  response: Type.Object({
    token: Type.String(),
    username: Type.String(),
    role: roleName,
    user_id: Type.Integer(),
  }),
  headers: { 'Set-Cookie': 'the token, when `cookie` is true' },
  failures: [invalidCredentials(), tooManyAttempts(1)],
  async handle({ parts: { accounts, basePath }, body, request, reply }) {
    const { username, password, cookie } = body();
    const kind = cookie === true ? 'web' : 'api';
    const { user, token } = await accounts.login(
      { username: username ?? '', password: password ?? '', kind },
      request.ip,
    );
    if (kind === 'web') setSessionCookie(request, reply, { ...token, path: basePath });
    reply.header('cache-control', 'no-store');
    return { token: token.value, username: user.username, role: user.role, user_id: user.id };
  },
});

export const me = route({
  summary: 'The current user',
  response: Type.Ref('User'),
  async handle({ request }) {
    return toUserRecord(credentialOf(request).user);
  },
});

export const logout = route({
  summary: 'Revoke the presented token',
  response: Ok,
  readsCredentials: true,
  headers: { 'Set-Cookie': 'removes the cookie that was sent' },
  async handle({ parts: { accounts, basePath }, request, reply }) {
    const presented = presentedToken(request);
    // A page of another site gets the same response, but cannot log the user out.
    if (presented !== null && (!presented.byCookie || isSameOrigin(request))) {
      await accounts.logout(presented.token, request.ip);
      if (presented.byCookie) {
        setSessionCookie(request, reply, { value: '', expiresAt: null, path: basePath });
      }
    }
    return { ok: true };
  },
});

export const changeOwnPassword = route({
  summary: "Change one's own password",
  body: Type.Object({
    current: passwordField,
    new: passwordField,
    revoke_others: anyField(
      Type.Boolean({ description: "true revokes one's other tokens in the same transaction" }),
    ),
  }),
  response: Ok,
  failures: [wrongPassword(), tooManyAttempts(1)],
  async handle({ parts: { accounts }, body, request }) {
    const { current, new: next, revoke_others } = body();
    if (!next) throw invalidField('new', 'must not be empty');
    const passwords = { current: current ?? '', next, revokeOthers: revoke_others === true };
    await accounts.changePassword(credentialOf(request), passwords, actorOf(request));
    return { ok: true };
  },
});

export const listOwnTokens = route({
  summary: "One's own tokens, newest first",
  query: Type.Object({ ...pageQuery.properties, include: include(['current']) }),
  response: Type.Object({ items: Type.Array(Type.Ref('Token')) }),
  failures: [unknownInclude],
  async handle({ parts: { accounts }, query, request }) {
    const { user, token } = credentialOf(request);
    const tokens = await accounts.listTokens(user.id, pageOf(query));
    const withCurrent = wantedFields(query.include, ['current']).has('current');
    return {
      items: tokens.map((each) => ({
        ...toTokenRecord(each),
        ...(withCurrent && { current: each.id === token.id }),
      })),
    };
  },
});

export const createOwnToken = route({
  summary: 'Create a further token for a program; its value is shown once',
  body: Type.Object({
    label: textField,
    expires_in_days: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
        description: '0 for no expiry; absent: the lifetime of a login',
      }),
    ),
  }),
  response: Type.Object({
    id: Type.Integer(),
    label: Type.String(),
    token: Type.String(),
    expires_at: TokenRecord.properties.expires_at,
  }),
  failures: [tooManyTokens()],
  async handle({ parts: { accounts }, body, request }) {
    const { label: given, expires_in_days } = body();
    const label = given?.trim() || 'token';
    const { user } = credentialOf(request);
    const days = expires_in_days ?? undefined;
    const token = await accounts.issueToken(user, label, days, actorOf(request));
    return { id: token.id, label, token: token.value, expires_at: token.expiresAt };
  },
});

export const revokeOwnToken = route({
  summary: "Revoke one of one's own tokens",
  params: Type.Object({ id: integerId }),
  response: Ok,
  async handle({ parts: { accounts }, params, request }) {
    await accounts.revokeToken(credentialOf(request).user.id, params.id, actorOf(request));
    return { ok: true };
  },
});
