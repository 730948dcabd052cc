import type { Generated } from 'kysely';

/** Users, tokens, devices, attempts to log in, and the audit. */
export interface AccountTables {
  user: {
    id: Generated<number>;
    username: string;
    password_hash: string;
    role: 'admin' | 'editor' | 'user';
    is_active: boolean;
    created_at: string;
    last_login_at: string | null;
  };
  token: {
    id: Generated<number>;
    user_id: number;
    hash: string;
    label: string;
    kind: 'api' | 'web';
    created_at: string;
    last_used_at: string | null;
    expires_at: string | null;
    revoked_at: string | null;
  };
  /** A device that reads a set at a URL that contains a secret. */
  device: {
    id: Generated<number>;
    owner_id: number;
    name: string;
    set_id: number;
    profile: string;
    /** SHA-256 of the secret. */
    hash: string;
    created_at: string;
    expires_at: string | null;
    last_used_at: string | null;
    /** Path of the file that the device read last, relative to the URL of the device. */
    last_file: string | null;
    last_file_at: string | null;
  };
  /** Login attempts that failed or are still in progress. */
  login_try: {
    id: Generated<number>;
    /** The IP address; for IPv6, its /64 network. */
    network: string;
    /** Digest of the user name. Null after a later login with this name and network succeeded. */
    account: string | null;
    /**
     * When the attempt failed, or when it began if it has not failed. In milliseconds since 1970 by
     * the database's clock.
     */
    at: number;
    failed: boolean;
  };
  /** Networks from which a login with a user name succeeded. */
  familiar_network: {
    /** Digest of the user name. */
    account: string;
    /** The IP address; for IPv6, its /64 network. */
    network: string;
    /**
     * When the newest successful login happened, in milliseconds since 1970 by the database's
     * clock.
     */
    at: number;
  };
  /** The newest attempt from an unfamiliar network, for each user name with too many failures. */
  metered_try: {
    /** Digest of the user name. */
    account: string;
    try_id: number;
    /** When the attempt began, in milliseconds since 1970 by the database's clock. */
    at: number;
  };
  audit: {
    id: Generated<number>;
    at: string;
    actor_kind: 'user' | 'cli' | 'system';
    user_id: number | null;
    username: string | null;
    address: string | null;
    action: string;
    target: string;
    /** JSON. */
    detail: string | null;
  };
}
