import { accounts } from './0028/accounts.ts';
import { files } from './0028/files.ts';
import { jobs } from './0028/jobs.ts';
import { library } from './0028/library.ts';
import { pending } from './0028/pending.ts';
import { releases } from './0028/releases.ts';
import { search } from './0028/search.ts';
import { textDigest } from './0028/texts.ts';
import { triggers } from './0028/triggers.ts';

/** Creates the same schema that SQLite's migrations up to 0028 create. */
export const start = {
  version: 28,
  name: '0028-start',
  statements: [
    textDigest,
    ...accounts,
    ...releases,
    ...search,
    ...library,
    ...files,
    ...jobs,
    ...pending,
    ...triggers,
  ],
};
