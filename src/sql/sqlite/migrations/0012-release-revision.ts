export const releaseRevision = {
  name: '0012-release-revision',
  statements: [
    // Another number with every change of what is shown of a release, in no order.
    'ALTER TABLE release ADD COLUMN revision INTEGER NOT NULL DEFAULT 0',
    // As in 0004, with the revision.
    'DROP VIEW listed_release',
    `CREATE VIEW listed_release AS
      SELECT id, platform_id, system, name, region, serial, description, revision FROM release
      WHERE NOT EXISTS (SELECT 1 FROM unfinished_import)
        OR +id < (SELECT first_release_id FROM unfinished_import)`,
  ],
};
