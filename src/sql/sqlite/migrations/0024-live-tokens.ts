export const liveTokens = {
  name: '0024-live-tokens',
  statements: [
    // This index finds the tokens that each login counts, even if the user has many revoked tokens.
    'CREATE INDEX token_not_revoked ON token (user_id) WHERE revoked_at IS NULL',
  ],
};
