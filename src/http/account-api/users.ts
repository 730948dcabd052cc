import { Type } from 'typebox';
import type { Token, User } from '../../core/accounts/account.ts';
import type { Accounts } from '../../core/accounts/accounts.ts';
import { jsonBody } from '../shared/json-body.ts';
import { actorOf } from './access.ts';
import { parseBody, type Route } from './route.ts';
import { anyField, integerId, Ok, passwordField, textField, UserShort } from './schemas.ts';

const userParams = Type.Object({ user_id: integerId });
const tokenParams = Type.Object({ user_id: integerId, token_id: integerId });
const role = anyField('`admin`, `editor` or `user`');

export function listUsers(accounts: Accounts): Route {
  return {
    summary: 'All users, by username',
    answer: Type.Object({ items: Type.Array(Type.Ref('User')) }),
    async handle() {
      return { items: (await accounts.listUsers()).map(toUserRecord) };
    },
  };
}

const createBody = jsonBody(Type.Object({ username: textField, password: passwordField, role }));

export function createUser(accounts: Accounts): Route {
  return {
    summary: 'Create a user',
    body: createBody,
    answer: UserShort,
    errors: [400, 409],
    async handle(request) {
      const body = parseBody(request, createBody);
      const { username, password } = body;
      const user = await accounts.createUser(
        { username: username ?? '', password: password ?? '', role: body.role },
        actorOf(request),
      );
      return toUserShort(user);
    },
  };
}

const updateBody = jsonBody(
  Type.Object({
    role,
    is_active: anyField('truthy sets active, falsy inactive, as JSON has it'),
    password: passwordField,
    revoke_tokens: anyField('true revokes the tokens of the user'),
  }),
);

export function updateUser(accounts: Accounts): Route {
  return {
    summary: "Change a user's role, state or password",
    params: userParams,
    body: updateBody,
    answer: UserShort,
    errors: [400, 404, 409],
    async handle(request) {
      const { user_id } = request.params as Type.Static<typeof userParams>;
      await accounts.getUser(user_id);
      const body = parseBody(request, updateBody);
      const change = {
        role: body.role,
        ...('is_active' in body && { isActive: Boolean(body.is_active) }),
        password: body.password ?? '',
        revokeTokens: body.revoke_tokens === true,
      };
      return toUserShort(await accounts.updateUser(user_id, change, actorOf(request)));
    },
  };
}

export function deleteUser(accounts: Accounts): Route {
  return {
    summary: 'Delete a user and their tokens',
    params: userParams,
    answer: Ok,
    errors: [400, 409],
    async handle(request) {
      const { user_id } = request.params as Type.Static<typeof userParams>;
      await accounts.deleteUser(user_id, actorOf(request));
      return { ok: true };
    },
  };
}

export function listUserTokens(accounts: Accounts): Route {
  return {
    summary: 'The tokens of a user, newest first',
    params: userParams,
    answer: Type.Object({ items: Type.Array(Type.Ref('Token')) }),
    async handle(request) {
      const { user_id } = request.params as Type.Static<typeof userParams>;
      return { items: (await accounts.listTokens(user_id)).map(toTokenRecord) };
    },
  };
}

export function revokeUserToken(accounts: Accounts): Route {
  return {
    summary: 'Revoke a token of a user',
    params: tokenParams,
    answer: Ok,
    async handle(request) {
      const { user_id, token_id } = request.params as Type.Static<typeof tokenParams>;
      await accounts.revokeToken(user_id, token_id, actorOf(request));
      return { ok: true };
    },
  };
}

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
