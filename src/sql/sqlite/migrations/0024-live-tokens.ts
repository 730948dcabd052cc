export const liveTokens = {
  name: '0024-live-tokens',
  statements: [
    // Finds the tokens that each login counts, however many revoked tokens the user has.
    'CREATE INDEX token_not_revoked ON token (user_id) WHERE revoked_at IS NULL',
  ],
};
