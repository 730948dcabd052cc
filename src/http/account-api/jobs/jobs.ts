import { Type } from 'typebox';
import { type Job, jobStates, maxReason, progressUnits } from '../../../core/jobs/job.ts';
import { apiJobKinds } from '../../../core/jobs/job-kind.ts';
import { alreadyRunning, forbidden, invalidField, notFound } from '../../../core/shared/errors.ts';
import type { UploadViewer } from '../../../core/uploads/upload.ts';
import type { Uploads } from '../../../core/uploads/uploads.ts';
import { actorOf, viewerOf as readerOf } from '../accounts/access.ts';
import { newestFields, newestPageOf } from '../paging.ts';
import { route } from '../route.ts';
import { anyField, integerId, Ok, timestamp } from '../schemas.ts';
import { viewerOf } from '../uploads/uploads.ts';
import { hideSets } from './hide-sets.ts';
import { jobOptions, parseJobRequest } from './job-options.ts';
import { checkBuild } from './targets.ts';

/**
 * Returns a job's report with field names in the style of the API, at any depth: `inSets` becomes
 * `in_sets`.
 */
function toWireReport(report: unknown): unknown {
  if (Array.isArray(report)) return report.map(toWireReport);
  if (typeof report !== 'object' || report === null) return report;
  return Object.fromEntries(
    Object.entries(report).map(([name, value]) => [snakeCase(name), toWireReport(value)]),
  );
}

/**
 * Converts a name from the code to the form of the API's names, for example `inSets` to `in_sets`.
 */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const jobParams = Type.Object({ job_id: integerId });
const state = Type.String({ enum: [...jobStates] });

const progress = Type.Union(
  [
    Type.Object({
      phase: Type.String({ description: 'one word; the numbers start again with each new phase' }),
      done: Type.Integer(),
      total: Type.Integer({ description: '0 if it is not known' }),
      unit: Type.String({ enum: [...progressUnits] }),
      name: Type.String({
        description: 'the file, release or table that is being processed; may be empty',
      }),
    }),
    Type.Null(),
  ],
  { description: 'written at most once a second; null until the job reports progress' },
);

/** Fields of a job in lists. */
export const jobFields = {
  id: Type.Integer(),
  kind: Type.String(),
  state,
  started_by: Type.Union([Type.String(), Type.Null()], {
    description: 'a user name, or the account of the machine; null for a schedule',
  }),
  started_at: timestamp,
  finished_at: Type.Union([timestamp, Type.Null()]),
  stopping: Type.Boolean({ description: 'true if the job runs and was asked to stop' }),
  progress,
  attempt: Type.Integer({
    description: 'the current attempt, or the one that the job waits for; from 1',
  }),
  attempts: Type.Integer({ description: 'maximum number of attempts; 1 for a job of a command' }),
  reason: Type.Union([Type.String({ maxLength: maxReason }), Type.Null()], {
    description:
      'why the job failed, was stopped or interrupted, or why its last attempt ended; null otherwise. A long text is cut; the report has all of it',
  }),
};

const anything = Type.Object({}, { additionalProperties: true });

export const listJobs = route({
  summary: 'Jobs, newest first',
  query: Type.Object({
    state: Type.Optional(Type.String({ enum: [...jobStates], description: 'absent: all' })),
    kind: Type.String({ default: '', description: 'only jobs of this kind; empty for all' }),
    ...newestFields,
  }),
  response: Type.Object({ items: Type.Array(Type.Object(jobFields)) }),
  async handle({ parts: { jobs, sets }, query: { state = '', kind, ...page }, request }) {
    const items = await jobs.list({ state, kind }, newestPageOf(page));
    return { items: (await hideSets(items, sets, readerOf(request))).map(toJob) };
  },
});

export const getJob = route({
  summary: 'One job with its options and its report',
  params: jobParams,
  response: Type.Object({
    ...jobFields,
    options: anything,
    report: Type.Union([anything, Type.Null()], {
      description:
        'depends on the kind; `{error}` if the job failed, was stopped or interrupted, or if its last attempt ended early. Null for a build of a set that you do not see, unless you started it',
    }),
  }),
  failures: [notFound()],
  async handle({ parts: { jobs, sets }, params, request }) {
    const found = await jobs.get(params.job_id);
    const [job = found] = await hideSets([found], sets, readerOf(request));
    return { ...toJob(job), options: job.options, report: toWireReport(job.report) };
  },
});

export const startJob = route({
  summary: 'Start a job',
  body: Type.Object({
    kind: anyField(Type.String({ enum: [...apiJobKinds] })),
    options: anyField(Type.Union([...jobOptions])),
  }),
  response: Type.Object({ id: Type.Integer() }),
  failures: [alreadyRunning()],
  async handle({ parts, body, request }) {
    const { kind: requestedKind, options: requested = {} } = body();
    const { kind, options, needsAdmin } = parseJobRequest(requestedKind, requested);
    const viewer = viewerOf(request);
    if (needsAdmin && !viewer.seesAll) throw forbidden();
    const areOwn = await checkDatUploads(options.uploads, parts.uploads, viewer);
    await checkBuild(options, parts, readerOf(request));
    const actor = actorOf(request, needsAdmin || !areOwn ? 'admin' : 'editor');
    return { id: await parts.backgroundJobs.start({ kind, options, actor }) };
  },
});

/**
 * Returns true if all uploads are the viewer's own. Also returns true if `ids` is not an array,
 * because such a job uses no uploads. Throws a 422 for an id that is not a finished upload of DATs,
 * or that the viewer may not see.
 */
async function checkDatUploads(
  ids: unknown,
  uploads: Uploads,
  viewer: UploadViewer,
): Promise<boolean> {
  if (!Array.isArray(ids)) return true;
  let areOwn = true;
  for (const id of ids) {
    if (await uploads.hasDat(id, { ...viewer, seesAll: false })) continue;
    areOwn = false;
    if (viewer.seesAll && (await uploads.hasDat(id, viewer))) continue;
    throw invalidField('uploads', `${id} is no upload of dats that is done`);
  }
  return areOwn;
}

export const stopJob = route({
  summary: 'Ask a job to stop; does nothing if the job has ended',
  params: jobParams,
  response: Ok,
  failures: [notFound()],
  async handle({ parts: { jobs }, params, request }) {
    await jobs.stop(params.job_id, actorOf(request));
    return { ok: true };
  },
});

export function toJob(job: Job) {
  return {
    id: job.id,
    kind: job.kind,
    state: job.state,
    started_by: job.actor.kind === 'system' ? null : job.actor.username,
    started_at: job.startedAt,
    finished_at: job.finishedAt,
    stopping: job.isStopping && job.state === 'running',
    progress: job.progress,
    attempt: job.attempt,
    attempts: job.attempts,
    reason: job.reason,
  };
}
