import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../../scripts/setup.mjs', import.meta.url));

/** Brings dist up to date before tests that run the program. */
export default function setUp(): void {
  execFileSync(process.execPath, [script], { stdio: 'inherit' });
}
