/**
 * Creates the tables for the progress and the findings of the current verification. After an
 * interruption, the verification continues from the stored progress.
 */
export const verification = {
  name: '0025-verification',
  statements: [
    `CREATE TABLE verification (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      parts TEXT NOT NULL,
      started_at TEXT NOT NULL,
      part TEXT NOT NULL,
      after TEXT NOT NULL,
      files INTEGER NOT NULL,
      bytes INTEGER NOT NULL
    ) STRICT`,
    `CREATE TABLE verification_finding (
      id INTEGER PRIMARY KEY,
      part TEXT NOT NULL,
      kind TEXT NOT NULL,
      path TEXT NOT NULL,
      reason TEXT NOT NULL
    ) STRICT`,
  ],
};
