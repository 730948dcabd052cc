import { Type } from 'typebox';
import { viewerOf } from '../accounts/access.ts';
import { hideSets } from '../jobs/hide-sets.ts';
import { jobFields, toJob } from '../jobs/jobs.ts';
import { route } from '../route.ts';

export const getDashboard = route({
  summary: 'Sizes of the store, the downloads of 90 days, and the newest job of each kind',
  response: Type.Object({
    areas: Type.Array(
      Type.Object({ system: Type.String(), files: Type.Integer(), bytes: Type.Integer() }),
      { description: 'the areas of the store' },
    ),
    free_bytes: Type.Integer({ description: 'free space on the file system of the data folder' }),
    covers: Type.Integer({ description: 'number of files in the covers folder tree' }),
    downloads: Type.Array(
      Type.Object({
        day: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$', description: 'UTC' }),
        count: Type.Integer(),
        bytes: Type.Integer(),
      }),
      { description: 'each of the last 90 days, oldest first' },
    ),
    jobs: Type.Array(Type.Object(jobFields), { description: 'ordered by kind' }),
  }),
  async handle({ parts: { dashboard, jobs, sets }, request }) {
    const [figures, newest] = await Promise.all([dashboard.get(), jobs.newestOfEachKind()]);
    const { freeBytes, ...rest } = figures;
    const shown = await hideSets(newest, sets, viewerOf(request));
    return { ...rest, free_bytes: freeBytes, jobs: shown.map(toJob) };
  },
});
