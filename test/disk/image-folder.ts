import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Identity } from '../../src/core/library/identity.ts';
import { identifyFile } from '../../src/disk/identify.ts';

/** Returns a folder for the images of a test file. The folder is removed after the tests. */
export function imageFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-images-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  let count = 0;
  return {
    path: folder,
    /** Writes a file and returns its path. The default name is meaningless. */
    write(content: Buffer | string, name = `nonsense ${++count}.xyz`): string {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    },
    identify(content: Buffer | string, name?: string): Promise<Identity> {
      return identifyFile(this.write(content, name));
    },
  };
}
