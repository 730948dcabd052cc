import { text } from './0028/texts.ts';

/**
 * Adds the host that owns a library root, if several hosts use the database; "" if no host owns it.
 */
export const rootHost = {
  version: 30,
  name: '0030-root-host',
  statements: [`ALTER TABLE library_root ADD COLUMN host ${text} NOT NULL DEFAULT ''`],
};
