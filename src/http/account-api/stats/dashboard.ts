import { Type } from 'typebox';
import { viewerOf } from '../accounts/access.ts';
import { hideSets } from '../jobs/hide-sets.ts';
import { jobFields, toJob } from '../jobs/jobs.ts';
import { route } from '../route.ts';

export const getDashboard = route({
  summary: 'How large everything is, the downloads of 90 days, and the newest job of each kind',
  response: Type.Object({
    areas: Type.Array(
      Type.Object({ system: Type.String(), files: Type.Integer(), bytes: Type.Integer() }),
      { description: 'the areas of the store' },
    ),
    free_bytes: Type.Integer({ description: 'on the file system of the data folder' }),
    covers: Type.Integer({ description: 'files in the covers folder tree' }),
    downloads: Type.Array(
      Type.Object({
        day: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$', description: 'UTC' }),
        count: Type.Integer(),
        bytes: Type.Integer(),
      }),
      { description: 'every one of the last 90 days, the oldest first' },
    ),
    jobs: Type.Array(Type.Object(jobFields), { description: 'by kind' }),
  }),
  async handle({ parts: { dashboard, jobs, sets }, request }) {
    const [figures, newest] = await Promise.all([dashboard.get(), jobs.newestOfEachKind()]);
    const { freeBytes, ...rest } = figures;
    const shown = await hideSets(newest, sets, viewerOf(request));
    return { ...rest, free_bytes: freeBytes, jobs: shown.map(toJob) };
  },
});
