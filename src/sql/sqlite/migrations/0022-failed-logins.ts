/**
 * Creates an index for counting failed logins. The index finds the row of the current time window
 * without reading other rows of the same name.
 */
export const failedLogins = {
  name: '0022-failed-logins',
  statements: [
    "CREATE INDEX audit_failed_login ON audit (username, address, at) WHERE action = 'login.fail'",
  ],
};
