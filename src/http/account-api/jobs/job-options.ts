import { type TObject, Type } from 'typebox';
import type { JobOptions } from '../../../core/jobs/job.ts';
import { invalidField } from '../../../core/shared/errors.ts';
import { fieldReader } from '../../shared/bodies/json-body.ts';

/** Maximum number of files that one job imports. */
const mostUploads = 1_000;
/** Maximum number of release ids in the options of one job that fetches covers. */
const mostReleases = 10_000;

const flag = (description: string) => Type.Optional(Type.Boolean({ description }));
const word = (description: string) =>
  Type.Optional(Type.String({ pattern: '^\\s*[^\\u0000\\s][^\\u0000]*$', description }));
const system = word('only its releases');
const importing = Type.Object({
  uploads: Type.Array(Type.Integer(), {
    minItems: 1,
    maxItems: mostUploads,
    description: 'ids of uploads of `dats` that are done',
  }),
  prune: flag('remove releases that no source lists any more; admin'),
  system: word('in place of the one that follows from the header'),
  source: word('the name of the source that the DAT is'),
});

/** The options of each kind of job, as JSON schemas. */
export const jobOptions = {
  scan: Type.Object({
    hash: flag('hash files, too; true unless it is said'),
    full: flag('look at unchanged files again'),
    forget: flag('forget what lay below roots that are missing or empty; admin'),
  }),
  import: importing,
  'import-preview': importing,
  'covers-fetch': Type.Object({
    system,
    missing: flag('leave covers that were taken from a disc alone'),
    removed: flag('also fetch covers that somebody removed'),
    release_ids: Type.Optional(
      Type.Array(Type.Integer(), {
        minItems: 1,
        maxItems: mostReleases,
        description: 'only of these releases',
      }),
    ),
  }),
  'covers-extract': Type.Object({}),
  'covers-bundle': Type.Object({
    name: Type.String({
      pattern: '^[A-Za-z0-9_-][A-Za-z0-9_.-]*$',
      maxLength: 250,
      description: 'of the zip, with or without its ending',
    }),
    system,
  }),
  verify: Type.Object({
    store: flag('the archives; without one of the first three everything, the database too'),
    covers: flag('the covers'),
    library: flag('the library'),
    rate: Type.Optional(
      Type.Integer({ minimum: 1, description: 'at most so many bytes per second' }),
    ),
  }),
} satisfies Record<string, TObject>;

export type JobKind = keyof typeof jobOptions;

export const jobKinds = Object.keys(jobOptions) as JobKind[];

const readers = new Map(
  Object.entries<TObject>(jobOptions).map(([kind, schema]) => [
    kind,
    { schema, read: fieldReader(schema) },
  ]),
);

/**
 * Parses the options of a job of this kind. Throws a 422 that names the unknown kind, or the option
 * that is missing, unknown or invalid.
 */
export function readJobOptions(kind: unknown, options: unknown): JobOptions {
  const reader = readers.get(String(kind));
  if (reader === undefined) throw unknownKind;
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw invalidField('options', 'must be an object');
  }
  const { schema, read } = reader;
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(schema.properties, name));
  if (unknown !== undefined) throw invalidField(unknown, `no option of ${kind}`);
  const missing = (schema.required ?? []).find((name) => !Object.hasOwn(options, name));
  if (missing !== undefined) throw invalidField(missing, 'is required');
  return read(options as Record<string, unknown>);
}

/** Returns true if only an admin may use these options. */
export function needsAdmin(options: JobOptions): boolean {
  return options.prune === true || options.forget === true;
}

const unknownKind = invalidField('kind', `must be ${jobKinds.join(' or ')}`);
