import { text } from './0028/texts.ts';

/** The host that owns a library root, where several hosts share a database; "" for none. */
export const rootHost = {
  version: 30,
  name: '0030-root-host',
  statements: [`ALTER TABLE library_root ADD COLUMN host ${text} NOT NULL DEFAULT ''`],
};
