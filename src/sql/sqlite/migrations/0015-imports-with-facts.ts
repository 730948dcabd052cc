export const importsWithFacts = {
  name: '0015-imports-with-facts',
  // It is unknown whether earlier imports had facts. The default value 1 assumes facts.
  statements: [
    'ALTER TABLE import ADD COLUMN has_facts INTEGER NOT NULL DEFAULT 1 CHECK (has_facts IN (0, 1))',
    'CREATE INDEX import_by_sha256 ON import (sha256)',
  ],
};
