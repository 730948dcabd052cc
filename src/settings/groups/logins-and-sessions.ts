import { setting } from '../setting.ts';
import { onOrOff, wholeNumber } from '../setting-text.ts';

/** The settings of logins, of sessions, and of access without an account. */
export const loginSettings = {
  requireSignIn: setting({
    option: 'require-sign-in',
    variable: 'CATALOG_REQUIRE_SIGN_IN',
    meaning: 'show the catalogue only to users with an account',
    more: 'the variable is `on` or `off`; [only with an account](users.md#only-with-an-account)',
    usedBy: 'account API',
    fallback: false,
    shownDefault: 'off',
    read: onOrOff,
  }),
  tokenDays: setting({
    option: 'token-days',
    takes: '<number>',
    variable: 'CATALOG_TOKEN_DAYS',
    meaning: 'length of a session: days until the token of a login expires, 0 for never',
    usedBy: 'account API',
    fallback: 90,
    read: wholeNumber(0, 36_500),
  }),
  loginFailures: setting({
    option: 'login-failures',
    takes: '<number>',
    variable: 'CATALOG_LOGIN_FAILURES',
    meaning: 'failed logins before further attempts must wait',
    more: '[limits](../api/account-api.md#limits)',
    usedBy: 'account API',
    fallback: 10,
    read: wholeNumber(1, 1_000_000),
  }),
  loginWindowMinutes: setting({
    option: 'login-window-min',
    takes: '<number>',
    variable: 'CATALOG_LOGIN_WINDOW_MIN',
    meaning: 'minutes that a failed login counts',
    usedBy: 'account API',
    fallback: 15,
    read: wholeNumber(1, 1_440),
  }),
  adminPassword: setting({
    variable: 'CATALOG_ADMIN_PASSWORD',
    meaning: 'password of the admin that the first start creates',
    usedBy: 'account API',
    fallback: undefined,
    shownDefault: 'generated',
    read: (text) => text,
  }),
  /** "" if no token is required. */
  apiToken: setting({
    variable: 'CATALOG_API_TOKEN',
    meaning: "shared token of the minimal API's store",
    usedBy: 'minimal API',
    fallback: '',
    shownDefault: 'none, the store is open',
    read: (text) => text.trim(),
  }),
};
