export const liveTokens = {
  name: '0024-live-tokens',
  statements: [
    // Each login counts these tokens, however many revoked ones the user has.
    'CREATE INDEX token_not_revoked ON token (user_id) WHERE revoked_at IS NULL',
  ],
};
