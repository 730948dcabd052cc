/**
 * Adds the options of a job, the full actor who started the job, and a flag that the job must stop.
 * Earlier, only the command line started jobs. Progress is cleared, because it was not used and its
 * form depended on the kind of job. Each kind of job that can be scheduled gets a row, which is off
 * at first.
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
    // SQLite appends the id to both indexes. The indexes therefore return lists with the newest job
    // first without sorting.
    'CREATE INDEX job_by_kind ON job (kind)',
    'CREATE INDEX job_by_state ON job (state)',
    // weekday: 0 is Sunday, null means every day. counts_after: runs that were due up to this time
    // were started or skipped.
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
