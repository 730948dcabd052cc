export const liveTokens = {
  name: '0024-live-tokens',
  statements: [
    // Each login counts them, however many a user had before.
    'CREATE INDEX token_not_revoked ON token (user_id) WHERE revoked_at IS NULL',
  ],
};
