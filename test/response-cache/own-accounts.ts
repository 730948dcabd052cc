import { Accounts } from '../../src/core/accounts/accounts.ts';
import { LoginThrottle } from '../../src/core/accounts/login-throttle.ts';
import { type Clock, systemClock } from '../../src/core/shared/clock.ts';
import type { PartRevision } from '../../src/core/shared/requests/part-revision.ts';
import { createAccountApi } from '../../src/http/account-api/app.ts';
import type { ServerOptions } from '../../src/http/shared/server/server.ts';
import { argon2Passwords } from '../../src/passwords/argon2.ts';
import { SqlAccountRecords } from '../../src/sql/accounts/account-records.ts';
import { SqlLoginTries } from '../../src/sql/accounts/login-tries.ts';
import { DeferredWrites } from '../../src/sql/engine/deferred-writes.ts';
import type { Engine } from '../../src/sql/engine/engine.ts';
import { openDatabaseOf } from '../support/data/database-of.ts';
import type { TestApp } from '../support/http/app.ts';
import { listen, options } from './servers.ts';

interface Settings extends Partial<ServerOptions> {
  readonly requireSignIn?: boolean;
  readonly corsOrigins?: readonly string[];
  readonly clock?: Clock;
}

/**
 * Starts a server for the catalogue of an app. The server caches credentials by the revision that
 * `revisionOf` returns.
 */
export async function startWithAccounts(
  app: TestApp,
  revisionOf: (engine: Engine) => PartRevision,
  { requireSignIn = false, corsOrigins = [], clock = systemClock, ...given }: Settings = {},
) {
  const engine = await openDatabaseOf(app);
  const deferredWrites = new DeferredWrites(engine, () => undefined);
  const accounts = new Accounts({
    records: new SqlAccountRecords({ engine, deferredWrites, clock, revision: revisionOf(engine) }),
    passwords: argon2Passwords(),
    throttle: new LoginThrottle(
      { failures: 10, windowMs: 60_000 },
      new SqlLoginTries({ engine, deferredWrites }),
    ),
    clock,
    tokenDays: 1,
  });
  const all = { ...options, ...given };
  const settings = {
    basePath: all.basePath,
    corsOrigins: [...corsOrigins],
    requireSignIn,
    archiveSender: 'direct' as const,
  };
  const parts = { ...app.catalog, accounts, ...settings, version: 'test' };
  const server = await createAccountApi(parts, all);
  const url = await listen(server);
  return {
    accounts,
    url,
    async close() {
      server.server.closeAllConnections();
      await server.close();
      await deferredWrites.close();
      await engine.close();
    },
  };
}
