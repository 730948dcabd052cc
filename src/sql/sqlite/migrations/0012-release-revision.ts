export const releaseRevision = {
  name: '0012-release-revision',
  statements: [
    // A number that is different after each visible change of the release. The numbers are in no
    // particular order.
    'ALTER TABLE release ADD COLUMN revision INTEGER NOT NULL DEFAULT 0',
    // The view of migration 0004 with the new column `revision`.
    'DROP VIEW listed_release',
    `CREATE VIEW listed_release AS
      SELECT id, platform_id, system, name, region, serial, description, revision FROM release
      WHERE NOT EXISTS (SELECT 1 FROM unfinished_import)
        OR +id < (SELECT first_release_id FROM unfinished_import)`,
  ],
};
