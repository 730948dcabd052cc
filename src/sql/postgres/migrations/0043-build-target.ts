import { text } from './0028/texts.ts';

/**
 * Creates the table of the folders that jobs build trees in. The journal in each folder says what
 * is there; a row only says which host has the folder, and what a job last built in it.
 */
export const buildTargets = {
  version: 43,
  name: '0043-build-target',
  statements: [
    `CREATE TABLE build_target (
      name ${text} NOT NULL,
      host ${text} NOT NULL,
      last_build ${text},
      PRIMARY KEY (name, host)
    )`,
  ],
};
