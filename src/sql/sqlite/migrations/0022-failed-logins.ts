/** A failed login is counted in its row of the window, which is found without the others of the name. */
export const failedLogins = {
  name: '0022-failed-logins',
  statements: [
    "CREATE INDEX audit_failed_login ON audit (username, address, at) WHERE action = 'login.fail'",
  ],
};
