// Writes the missing fixtures, each from the previous one. Run it after adding a migration, and
// check what differs in the new file: node test/sql/write-fixtures.ts
import { existsSync, writeFileSync } from 'node:fs';
import { fixtureFile, makeFixture, versions } from './fixtures.ts';

for (const version of versions) {
  const file = fixtureFile(version);
  if (existsSync(file)) continue;
  writeFileSync(file, await makeFixture(version));
  console.log(`${file}: written`);
}
