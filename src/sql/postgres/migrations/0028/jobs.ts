import { givenId, text } from './texts.ts';

/**
 * Creates the tables of jobs and other long work, and the leases on work that only one process at a
 * time may do.
 */
export const jobs = [
  `CREATE TABLE job (
    id ${givenId},
    kind ${text} NOT NULL,
    state ${text} NOT NULL CHECK (state IN ('running', 'done', 'failed', 'stopped', 'interrupted')),
    owner ${text} NOT NULL,
    started_at ${text} NOT NULL,
    heartbeat_at ${text} NOT NULL,
    finished_at ${text},
    progress ${text},
    report ${text},
    actor ${text} NOT NULL DEFAULT '{"kind":"system"}',
    options ${text} NOT NULL DEFAULT '{}',
    stopping boolean NOT NULL DEFAULT false
  )`,
  `CREATE UNIQUE INDEX job_running ON job (kind) WHERE state = 'running'`,
  'CREATE INDEX job_by_kind ON job (kind, id)',
  'CREATE INDEX job_by_state ON job (state, id)',
  // weekday: 0 is Sunday, null means every day. counts_after: runs that were due up to this time
  // were started or skipped.
  `CREATE TABLE schedule (
    kind ${text} PRIMARY KEY,
    is_on boolean NOT NULL,
    weekday bigint CHECK (weekday BETWEEN 0 AND 6),
    time ${text} NOT NULL,
    counts_after ${text} NOT NULL
  )`,
  `INSERT INTO schedule (kind, is_on, weekday, time, counts_after)
    VALUES ('scan', false, NULL, '03:00', ''), ('covers-fetch', false, NULL, '03:00', '')`,
  `CREATE TABLE lease (
    name ${text} PRIMARY KEY,
    holder ${text} NOT NULL,
    expires_at bigint NOT NULL
  )`,
  // Each login attempt locks this row, so that attempts run one at a time. The lock lasts until the
  // transaction ends.
  `INSERT INTO lease (name, holder, expires_at) VALUES ('logins', '', 0)`,
  // The progress and the findings of the current verification. After an interruption, the
  // verification continues from the stored progress.
  `CREATE TABLE verification (
    id bigint PRIMARY KEY CHECK (id = 1),
    parts ${text} NOT NULL,
    started_at ${text} NOT NULL,
    part ${text} NOT NULL,
    after ${text} NOT NULL,
    files bigint NOT NULL,
    bytes bigint NOT NULL
  )`,
  `CREATE TABLE verification_finding (
    id ${givenId},
    part ${text} NOT NULL,
    kind ${text} NOT NULL,
    path ${text} NOT NULL,
    reason ${text} NOT NULL
  )`,
];
