/**
 * What jobs are asked, by whom in full, and whether they are to stop. Until now only the command line started them. Their
 * progress had a form of its own for each kind, and nobody read it. The kinds with a schedule have a row each, off at first.
 */
export const jobControl = {
  name: '0019-job-control',
  statements: [
    `ALTER TABLE job ADD COLUMN actor TEXT NOT NULL DEFAULT '{"kind":"system"}'`,
    `UPDATE job SET actor = json_object('kind', 'cli', 'username', started_by) WHERE started_by <> 'system'`,
    'ALTER TABLE job DROP COLUMN started_by',
    `ALTER TABLE job ADD COLUMN options TEXT NOT NULL DEFAULT '{}'`,
    'ALTER TABLE job ADD COLUMN stopping INTEGER NOT NULL DEFAULT 0 CHECK (stopping IN (0, 1))',
    'UPDATE job SET progress = NULL',
    // Both end in the id: they give lists from the newest on without sorting.
    'CREATE INDEX job_by_kind ON job (kind)',
    'CREATE INDEX job_by_state ON job (state)',
    // weekday: 0 is Sunday, null every day. counts_after: what was due until then is done with.
    `CREATE TABLE schedule (
      kind TEXT PRIMARY KEY,
      is_on INTEGER NOT NULL CHECK (is_on IN (0, 1)),
      weekday INTEGER CHECK (weekday BETWEEN 0 AND 6),
      time TEXT NOT NULL,
      counts_after TEXT NOT NULL
    ) STRICT, WITHOUT ROWID`,
    `INSERT INTO schedule (kind, is_on, weekday, time, counts_after)
      VALUES ('scan', 0, NULL, '03:00', ''), ('covers-fetch', 0, NULL, '03:00', '')`,
  ],
};
