import { Type } from 'typebox';
import type { ImportRecord } from '../../../core/imports/ports.ts';
import { notFound } from '../../../core/shared/errors.ts';
import { clampedLimit } from '../paging.ts';
import { route } from '../route.ts';
import { integerId, timestamp } from '../schemas.ts';

const pageQuery = Type.Object({
  limit: Type.Integer({ default: 50, description: 'clamped to 1..500' }),
  offset: Type.Integer({ default: 0, description: 'values below 0 become 0' }),
});

const counts = Type.Object({
  rows: Type.Integer(),
  releases: Type.Integer(),
  new: Type.Integer(),
  joined: Type.Integer({ description: 'dumps that were already known from another source' }),
  changed: Type.Integer(),
  renamed: Type.Integer(),
  unchanged: Type.Integer(),
  gone: Type.Integer({ description: 'releases that are no longer in the file, but were kept' }),
  pruned: Type.Integer(),
  filled: Type.Integer({ description: 'number of releases whose metadata changed' }),
  protected: Type.Integer({
    description: 'number of fields kept because they were edited by hand',
  }),
  refused_rows: Type.Integer(),
  too_long_rows: Type.Integer({ description: 'refused rows with a text over its limit' }),
});
const names = Type.Array(Type.String());

const fields = {
  id: Type.Integer(),
  platform: Type.String(),
  source: Type.Object({
    id: Type.Union([Type.Integer(), Type.Null()], { description: 'null for a metadata file' }),
    name: Type.String(),
  }),
  system: Type.Union([Type.String(), Type.Null()]),
  file: Type.String(),
  sha256: Type.String(),
  version: Type.String(),
  imported_at: timestamp,
  imported_by: Type.String(),
  counts,
};

export const listImports = route({
  summary: 'The history of imports, newest first',
  query: pageQuery,
  response: Type.Object({
    items: Type.Array(Type.Object(fields)),
    limit: Type.Integer(),
    offset: Type.Integer(),
  }),
  async handle({ parts: { imports }, query }) {
    const limit = clampedLimit(query.limit);
    const offset = Math.max(query.offset, 0);
    const items = await imports.listImports(limit, offset);
    return { items: items.map(toImport), limit, offset };
  },
});

export const getImport = route({
  summary: 'One import with the first names of each kind',
  params: Type.Object({ import_id: integerId }),
  response: Type.Object({
    ...fields,
    samples: Type.Object({
      new: names,
      changed: names,
      renamed: names,
      joined: names,
      gone: names,
      pruned: names,
      protected: names,
      refused_rows: names,
    }),
  }),
  failures: [notFound()],
  async handle({ parts: { imports }, params }) {
    const { samples, ...record } = await imports.getImport(params.import_id);
    const { refusedRows, ...rest } = samples;
    return { ...toImport(record), samples: { ...rest, refused_rows: refusedRows } };
  },
});

function toImport(record: ImportRecord) {
  const { refusedRows, tooLongRows, ...rest } = record.counts;
  return {
    id: record.id,
    platform: record.platform,
    source: { id: record.sourceId, name: record.source },
    system: record.system,
    file: record.fileName,
    sha256: record.sha256,
    version: record.version,
    imported_at: record.importedAt,
    imported_by: record.importedBy,
    counts: { ...rest, refused_rows: refusedRows, too_long_rows: tooLongRows },
  };
}
