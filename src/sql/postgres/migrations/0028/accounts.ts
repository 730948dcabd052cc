import { givenId, text } from './texts.ts';

/**
 * Creates the tables of accounts. In this and the other files, an index for a list with the newest
 * entry first has the id as its last column.
 */
export const accounts = [
  `CREATE TABLE "user" (
    id ${givenId},
    username ${text} NOT NULL UNIQUE,
    password_hash ${text} NOT NULL,
    role ${text} NOT NULL CHECK (role IN ('admin', 'editor', 'user')),
    is_active boolean NOT NULL,
    created_at ${text} NOT NULL,
    last_login_at ${text}
  )`,
  `CREATE TABLE token (
    id ${givenId},
    user_id bigint NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
    hash ${text} NOT NULL UNIQUE,
    label ${text} NOT NULL,
    kind ${text} NOT NULL CHECK (kind IN ('api', 'web')),
    created_at ${text} NOT NULL,
    last_used_at ${text},
    expires_at ${text},
    revoked_at ${text}
  )`,
  'CREATE INDEX token_by_user ON token (user_id, id)',
  'CREATE INDEX token_not_revoked ON token (user_id) WHERE revoked_at IS NULL',
  `CREATE TABLE login_try (
    id ${givenId},
    network ${text} NOT NULL,
    account ${text},
    at bigint NOT NULL,
    failed boolean NOT NULL
  )`,
  'CREATE INDEX login_try_network ON login_try (network, account, at)',
  'CREATE INDEX login_try_at ON login_try (at)',
  `CREATE TABLE audit (
    id ${givenId},
    at ${text} NOT NULL,
    actor_kind ${text} NOT NULL CHECK (actor_kind IN ('user', 'cli', 'system')),
    user_id bigint,
    username ${text},
    address ${text},
    action ${text} NOT NULL,
    target ${text} NOT NULL,
    detail ${text}
  )`,
  'CREATE INDEX audit_by_action ON audit (action, id)',
  'CREATE INDEX audit_by_username ON audit (username, id)',
  'CREATE INDEX audit_by_username_action ON audit (username, action, id)',
  'CREATE INDEX audit_by_target ON audit (target, id)',
  `CREATE INDEX audit_of_release_edits ON audit (id) WHERE action = 'release.edit'`,
  `CREATE INDEX audit_failed_login ON audit (username, address, at) WHERE action = 'login.fail'`,
];
