import type {
  CatalogueProgress,
  CatalogueReport,
  CatalogueStep,
} from '../core/imports/catalogue/catalogue-fetcher.ts';
import type { Actor } from '../core/shared/requests/actor.ts';
import { keepHeapSmall } from '../memory/small-heap.ts';
import type { Catalog } from '../wire/catalog.ts';
import type { Work } from './work.ts';

/** Returns the work that downloads the zip of the catalogue source and imports its DATs. */
export function catalogueWork(
  { catalogueFetcher }: Pick<Catalog, 'catalogueFetcher'>,
  actor: Actor,
): Work<'fetch-catalogue', CatalogueProgress, CatalogueReport> {
  keepHeapSmall();
  return {
    kind: 'fetch-catalogue',
    run({ step, keepStep, ...watch }) {
      // The cast is safe, because only this function stores steps of this kind of job.
      const from = step as CatalogueStep | null;
      return catalogueFetcher.run({ ...watch, step: from, onStep: keepStep }, actor);
    },
    progressOf: (progress) => ({ ...progress, unit: 'bytes' }),
  };
}
