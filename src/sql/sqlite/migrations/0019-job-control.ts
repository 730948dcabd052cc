/**
 * Adds the options of jobs, the full actor who started them, and whether they must stop. So far
 * only the command line started jobs. Their progress had a different form for each kind and was not
 * used. The kinds that can be scheduled get one row each, initially off.
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
    // SQLite appends the id to both indexes, so they return lists with the newest first without
    // sorting.
    'CREATE INDEX job_by_kind ON job (kind)',
    'CREATE INDEX job_by_state ON job (state)',
    // weekday: 0 is Sunday, null every day. counts_after: runs due up to then no longer count.
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
