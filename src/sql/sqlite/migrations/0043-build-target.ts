/**
 * Creates the table of the folders that jobs build trees in. The journal in each folder says what
 * is there; a row only says which host has the folder, and what a job last built in it.
 */
export const buildTargets = {
  name: '0043-build-target',
  statements: [
    `CREATE TABLE build_target (
      name TEXT NOT NULL,
      host TEXT NOT NULL,
      last_build TEXT,
      PRIMARY KEY (name, host)
    ) STRICT, WITHOUT ROWID`,
  ],
};
