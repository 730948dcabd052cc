/** The columns of a job that are copied unchanged. */
const copied = `id, kind, state, owner, started_at, heartbeat_at, finished_at, progress, report, actor,
  options, stopping`;

/**
 * Lets jobs wait for another attempt. The table is created again, because SQLite cannot change
 * which values an existing column allows. Jobs of earlier versions have one attempt.
 */
export const jobAttempts = {
  name: '0035-job-attempts',
  statements: [
    // run: how often a process began the job, which identifies a run. host: the only host that may
    // run the job, or ''. due_at: earliest time of the next attempt, in milliseconds since 1970 by
    // the clock of the database. step: JSON, the last step that the work completed.
    `CREATE TABLE job_new (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      state TEXT NOT NULL
        CHECK (state IN ('queued', 'running', 'done', 'failed', 'stopped', 'interrupted')),
      owner TEXT NOT NULL,
      started_at TEXT NOT NULL,
      heartbeat_at TEXT NOT NULL,
      finished_at TEXT,
      progress TEXT,
      report TEXT,
      actor TEXT NOT NULL DEFAULT '{"kind":"system"}',
      options TEXT NOT NULL DEFAULT '{}',
      stopping INTEGER NOT NULL DEFAULT 0 CHECK (stopping IN (0, 1)),
      attempt INTEGER NOT NULL DEFAULT 1,
      attempts INTEGER NOT NULL DEFAULT 1,
      run INTEGER NOT NULL DEFAULT 1,
      host TEXT NOT NULL DEFAULT '',
      due_at INTEGER,
      step TEXT
    ) STRICT`,
    `INSERT INTO job_new (${copied}) SELECT ${copied} FROM job ORDER BY id`,
    // Copies the highest id that was assigned, so that ids are never used again.
    `DELETE FROM sqlite_sequence WHERE name = 'job_new'`,
    `INSERT INTO sqlite_sequence (name, seq)
      SELECT 'job_new', seq FROM sqlite_sequence WHERE name = 'job'`,
    'DROP TABLE job',
    'ALTER TABLE job_new RENAME TO job',
    `CREATE UNIQUE INDEX job_running ON job (kind) WHERE state = 'running'`,
    'CREATE INDEX job_by_kind ON job (kind)',
    'CREATE INDEX job_by_state ON job (state)',
  ],
};
