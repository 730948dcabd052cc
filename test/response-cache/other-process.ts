// A separate process that changes a data folder. Each message describes one change.

import type { UserRequest } from '../../src/core/accounts/accounts.ts';
import { readConfig } from '../../src/settings/config.ts';
import { openCatalog } from '../../src/wire/open-catalog.ts';

const [data = '', database = ''] = process.argv.slice(2);
const config = readConfig(
  { data, 'log-level': 'silent', 'cover-source': '' },
  { CATALOG_DATABASE: database },
);
const catalog = await openCatalog(config, { warn: () => undefined }, { readers: 1 });

/** The change to make: an edit of a release, a change of a user, or a change of a user's token. */
export type Work =
  | { readonly release: number; readonly name: string }
  | { readonly user: number; readonly change: UserRequest }
  | { readonly user: number; readonly token: number };

const actor = { kind: 'system' } as const;

process.on('message', async (work: Work) => {
  const { accounts, releases } = catalog;
  if ('release' in work) await releases.edit(work.release, { name: work.name }, actor);
  else if ('token' in work) await accounts.revokeToken(work.user, work.token, actor);
  else await accounts.updateUser(work.user, work.change, actor);
  process.send?.('done');
});
process.once('disconnect', () => void catalog.close());
process.send?.('ready');
