// Writes the fixtures that are missing, each from the one before it: run it after a migration was added, and look at
// what the new file says differently.
//   node test/sql/write-fixtures.ts
import { existsSync, writeFileSync } from 'node:fs';
import { fixtureFile, makeFixture, versions } from './fixtures.ts';

for (const version of versions) {
  const file = fixtureFile(version);
  if (existsSync(file)) continue;
  writeFileSync(file, await makeFixture(version));
  console.log(`${file}: written`);
}
