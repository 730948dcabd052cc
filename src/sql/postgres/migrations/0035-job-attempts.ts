import { text } from './0028/texts.ts';

/** Lets jobs wait for another attempt. Jobs of earlier versions have one attempt. */
export const jobAttempts = {
  version: 35,
  name: '0035-job-attempts',
  statements: [
    'ALTER TABLE job DROP CONSTRAINT job_state_check',
    `ALTER TABLE job ADD CONSTRAINT job_state_check
      CHECK (state IN ('queued', 'running', 'done', 'failed', 'stopped', 'interrupted'))`,
    // run: how often a process began the job, which identifies a run. host: the only host that may
    // run the job, or ''. due_at: earliest time of the next attempt, in milliseconds since 1970 by
    // the clock of the database. step: JSON, the last step that the work completed.
    `ALTER TABLE job
      ADD COLUMN attempt bigint NOT NULL DEFAULT 1,
      ADD COLUMN attempts bigint NOT NULL DEFAULT 1,
      ADD COLUMN run bigint NOT NULL DEFAULT 1,
      ADD COLUMN host ${text} NOT NULL DEFAULT '',
      ADD COLUMN due_at bigint,
      ADD COLUMN step ${text}`,
  ],
};
