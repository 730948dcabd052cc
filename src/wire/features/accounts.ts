import { Accounts } from '../../core/accounts/accounts.ts';
import { LoginThrottle } from '../../core/accounts/login-throttle.ts';
import { argon2Passwords } from '../../passwords/argon2.ts';
import { SqlAccountRecords } from '../../sql/accounts/account-records.ts';
import { SqlLoginTries } from '../../sql/accounts/login-tries.ts';
import type { BaseServices } from '../base.ts';
import type { Catalog } from '../catalog.ts';

type Passwords = ReturnType<typeof argon2Passwords>;

/**
 * Assembles the accounts service, the service that hashes passwords, and the limit on failed
 * logins.
 */
export function openAccounts({
  config,
  options,
  engine,
  deferredWrites,
  clock,
  revisions,
}: BaseServices): Pick<Catalog, 'accounts'> & { passwords: Passwords; throttle: LoginThrottle } {
  const passwords = argon2Passwords(options.hashCost);
  const throttle = new LoginThrottle(
    { failures: config.loginFailures, windowMs: config.loginWindowMinutes * 60_000 },
    new SqlLoginTries({ engine, deferredWrites }),
  );
  const accounts = new Accounts({
    records: new SqlAccountRecords({
      engine,
      deferredWrites,
      clock,
      revision: revisions.of('accounts'),
    }),
    passwords,
    throttle,
    clock,
    tokenDays: config.tokenDays,
  });
  return { accounts, passwords, throttle };
}
