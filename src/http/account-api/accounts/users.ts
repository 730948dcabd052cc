import { Type } from 'typebox';
import type { Token, User } from '../../../core/accounts/account.ts';
import {
  cannotDeleteYourself,
  invalidRole,
  lastActiveAdmin,
  notFound,
  usernameAndPasswordRequired,
  usernameTaken,
} from '../../../core/shared/errors.ts';
import { pageOf, pageQuery } from '../paging.ts';
import { route } from '../route.ts';
import {
  anyField,
  integerId,
  Ok,
  passwordField,
  roleName,
  textField,
  UserShort,
} from '../schemas.ts';
import { actorOf } from './access.ts';

const userParams = Type.Object({ user_id: integerId });
const role = anyField(Type.Union([roleName, Type.Null()]));

export const listUsers = route({
  summary: 'All users, by username',
  query: pageQuery,
  response: Type.Object({ items: Type.Array(Type.Ref('User')) }),
  async handle({ parts: { accounts }, query }) {
    return { items: (await accounts.listUsers(pageOf(query))).map(toUserRecord) };
  },
});

export const createUser = route({
  summary: 'Create a user',
  body: Type.Object({ username: textField, password: passwordField, role }),
  response: UserShort,
  failures: [usernameAndPasswordRequired(), invalidRole(), usernameTaken()],
  async handle({ parts: { accounts }, body, request }) {
    const { username, password, role } = body();
    const user = await accounts.createUser(
      { username: username ?? '', password: password ?? '', role },
      actorOf(request),
    );
    return toUserShort(user);
  },
});

export const updateUser = route({
  summary: "Change a user's role, state or password",
  params: userParams,
  body: Type.Object({
    role,
    is_active: anyField(
      Type.Unknown({ description: 'any JSON: truthy sets active, falsy inactive' }),
    ),
    password: passwordField,
    revoke_tokens: anyField(
      Type.Boolean({ description: 'true revokes the tokens of the user (extension)' }),
    ),
  }),
  response: UserShort,
  failures: [notFound(), invalidRole(), lastActiveAdmin()],
  async handle({ parts: { accounts }, params: { user_id }, body, request }) {
    await accounts.getUser(user_id);
    const fields = body();
    const change = {
      role: fields.role,
      ...('is_active' in fields && { isActive: Boolean(fields.is_active) }),
      password: fields.password ?? '',
      revokeTokens: fields.revoke_tokens === true,
    };
    return toUserShort(await accounts.updateUser(user_id, change, actorOf(request)));
  },
});

export const deleteUser = route({
  summary: 'Delete a user and their tokens',
  params: userParams,
  response: Ok,
  failures: [cannotDeleteYourself(), lastActiveAdmin()],
  async handle({ parts: { accounts }, params, request }) {
    await accounts.deleteUser(params.user_id, actorOf(request));
    return { ok: true };
  },
});

export const listUserTokens = route({
  summary: 'The tokens of a user, newest first',
  params: userParams,
  query: pageQuery,
  response: Type.Object({ items: Type.Array(Type.Ref('Token')) }),
  async handle({ parts: { accounts }, params, query }) {
    const tokens = await accounts.listTokens(params.user_id, pageOf(query));
    return { items: tokens.map(toTokenRecord) };
  },
});

export const revokeUserToken = route({
  summary: 'Revoke a token of a user',
  params: Type.Object({ user_id: integerId, token_id: integerId }),
  response: Ok,
  async handle({ parts: { accounts }, params: { user_id, token_id }, request }) {
    await accounts.revokeToken(user_id, token_id, actorOf(request));
    return { ok: true };
  },
});

function toUserShort(user: User) {
  const { id, username, role, isActive } = user;
  return { id, username, role, is_active: isActive ? 1 : 0 };
}

export function toUserRecord(user: User) {
  return { ...toUserShort(user), created_at: user.createdAt, last_login_at: user.lastLoginAt };
}

export function toTokenRecord(token: Token) {
  return {
    id: token.id,
    label: token.label,
    kind: token.kind,
    created_at: token.createdAt,
    last_used_at: token.lastUsedAt,
    expires_at: token.expiresAt,
    revoked_at: token.revokedAt,
  };
}
