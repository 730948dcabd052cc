import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  CatalogueFetcher,
  type CatalogueProgress,
  type CatalogueReport,
  type CatalogueStep,
} from '../../../src/core/imports/catalogue/catalogue-fetcher.ts';
import { partialFile } from '../../../src/files/partial-file.ts';
import { HttpRemoteZip } from '../../../src/remote/remote-zip.ts';
import { actor, type ImportsFixture, useImports } from '../support/imports-fixture.ts';

export interface FetchFixture {
  readonly imports: ImportsFixture;
  readonly progress: CatalogueProgress[];
  /** The last step that the work stored; null for none. */
  readonly step: () => CatalogueStep | null;
  run(watch?: {
    signal?: AbortSignal;
    step?: CatalogueStep | null;
    onProgress?: (progress: CatalogueProgress) => void;
  }): Promise<CatalogueReport>;
  /** True if bytes of the zip are stored. */
  hasBytes(): boolean;
}

/** Returns a fetcher of `<base>/master.zip` that imports into a real catalogue without pauses. */
export async function useFetcher(
  base: string,
  options: { maxBytes?: number; idleMs?: number; path?: string } = {},
): Promise<FetchFixture> {
  const imports = await useImports();
  await imports.empty();
  const url = `${base}${options.path ?? '/master.zip'}`;
  const file = partialFile(join(imports.folder, 'tmp'), url);
  const { idleMs, maxBytes = 1024 ** 3 } = options;
  const fetcher = new CatalogueFetcher({
    remote: new HttpRemoteZip({ url, ...(idleMs !== undefined && { idleMs }) }),
    file,
    imports: imports.catalog.imports,
    limits: { maxBytes, pausesMs: [0, 0, 0] },
  });
  const progress: CatalogueProgress[] = [];
  let last: CatalogueStep | null = null;
  return {
    imports,
    progress,
    step: () => last,
    run: ({ signal = new AbortController().signal, step = null, onProgress } = {}) =>
      fetcher.run(
        {
          signal,
          step,
          onProgress(next) {
            progress.push(next);
            onProgress?.(next);
          },
          async onStep(next) {
            last = next;
          },
        },
        actor,
      ),
    hasBytes: () => existsSync(file.path),
  };
}
