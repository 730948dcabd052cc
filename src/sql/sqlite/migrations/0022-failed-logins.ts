/**
 * Finds the row of the time window in which a failed login is counted, without reading the others
 * of that name.
 */
export const failedLogins = {
  name: '0022-failed-logins',
  statements: [
    "CREATE INDEX audit_failed_login ON audit (username, address, at) WHERE action = 'login.fail'",
  ],
};
