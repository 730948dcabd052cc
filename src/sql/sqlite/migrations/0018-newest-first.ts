/**
 * Creates indexes for lists of the audit and of downloads with the newest entry first. SQLite
 * appends the id to each index. An index on two columns finds the few rows that match both values,
 * even if many rows match one of the values.
 */
export const newestFirst = {
  name: '0018-newest-first',
  statements: [
    'CREATE INDEX audit_by_action ON audit (action)',
    'CREATE INDEX audit_by_username ON audit (username)',
    'CREATE INDEX audit_by_username_action ON audit (username, action)',
    'CREATE INDEX audit_by_target ON audit (target)',
    'CREATE INDEX download_event_by_user ON download_event (user_id)',
    'CREATE INDEX download_event_by_name ON download_event (name)',
    'CREATE INDEX download_event_by_user_name ON download_event (user_id, name)',
  ],
};
