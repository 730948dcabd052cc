import { text } from './0028/texts.ts';

/** The host that a library root belongs to, where several share a database; "" for nobody. */
export const rootHost = {
  version: 30,
  name: '0030-root-host',
  statements: [`ALTER TABLE library_root ADD COLUMN host ${text} NOT NULL DEFAULT ''`],
};
