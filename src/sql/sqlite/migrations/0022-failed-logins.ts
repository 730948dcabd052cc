/** Failed logins are counted in their row of the window, and go after a time: both are found without the other rows. */
export const failedLogins = {
  name: '0022-failed-logins',
  statements: [
    "CREATE INDEX audit_failed_login ON audit (username, address, at) WHERE action = 'login.fail'",
    "CREATE INDEX audit_failed_login_by_time ON audit (at) WHERE action = 'login.fail'",
  ],
};
