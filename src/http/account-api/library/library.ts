import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { matchMethods } from '../../../core/library/library-file.ts';
import {
  type FileCounts,
  type FileFilter,
  fileStates,
  type ShownFile,
} from '../../../core/library/shown-files.ts';
import { roleReaches } from '../../../core/shared/requests/role.ts';
import { tooManyWords } from '../../../core/shared/search-text.ts';
import { credentialOf } from '../accounts/access.ts';
import { clampedLimit } from '../paging.ts';
import { include, unknownInclude, wantedFields } from '../releases/include.ts';
import { route } from '../route.ts';
import { timestamp } from '../schemas.ts';

export const textOrNull = (description: string) =>
  Type.Union([Type.String(), Type.Null()], { description });
const states = [...fileStates, 'damaged'] as const;

/** Fields of a file in lists. */
export const fileFields = {
  id: Type.Integer(),
  name: Type.String(),
  size: Type.Integer({ description: 'size of the file in bytes' }),
  modified_at: timestamp,
  system: Type.String({ description: 'the system of the release, else of the root' }),
  release_id: Type.Union([Type.Integer(), Type.Null()]),
  release_name: textOrNull('null without a release'),
  serial: textOrNull('the serial read from the file'),
  method: Type.Union([Type.String({ enum: [...matchMethods] }), Type.Null()], {
    description: 'how the file was matched; `manual`: an editor chose',
  }),
  canonical: textOrNull('the name that the file should have according to the DAT'),
  problem: textOrNull('the problem of the file, as a sentence about "it"'),
  path: Type.Optional(Type.String({ description: 'only for editors' })),
};
const listItem = Type.Object({
  ...fileFields,
  state: Type.Optional(Type.String({ enum: [...fileStates], description: 'with `include=state`' })),
});

const includable = ['counts', 'state'];

export const listLibrary = route({
  summary: 'The files that were found below the library roots, by name',
  query: Type.Object({
    limit: Type.Integer({ default: 50, description: 'clamped to 1..500' }),
    offset: Type.Integer({ default: 0, description: 'values below 0 become 0' }),
    search: Type.String({
      default: '',
      description:
        "words in any order, at most 16, in a file's name, the name it should have, and its serial",
    }),
    system: Type.String({
      default: '',
      description: 'only this system, compared exactly; empty for all',
    }),
    state: Type.Unsafe<FileFilter['state']>({
      type: 'string',
      enum: ['', ...states],
      default: '',
      description:
        '`matched`: by more than the name; `by-name`; `ambiguous`: several releases are left; `unknown`; `damaged`, ' +
        'whatever its release',
    }),
    include: include(includable),
  }),
  response: Type.Object({
    items: Type.Array(listItem),
    total: Type.Integer(),
    limit: Type.Integer(),
    offset: Type.Integer(),
    counts: Type.Optional(
      Type.Object(Object.fromEntries(states.map((state) => [state, Type.Integer()])), {
        description:
          'with `include=counts`: the number of files in each state that meet the rest of the filter',
      }),
    ),
  }),
  failures: [unknownInclude, tooManyWords()],
  async handle({ parts: { libraryFiles }, query, request }) {
    const { search, system, state } = query;
    const limit = clampedLimit(query.limit);
    const offset = Math.max(query.offset, 0);
    const wanted = wantedFields(query.include, includable);
    const filter = { search, system, state };
    const [files, counts] = await Promise.all([
      libraryFiles.list(filter, { limit, offset }),
      libraryFiles.count(filter),
    ]);
    const items = files.map((file) => ({
      ...toListItem(file, request),
      ...(wanted.has('state') && { state: file.state }),
    }));
    const total = totalOf(counts, state);
    return { items, total, limit, offset, ...(wanted.has('counts') && { counts }) };
  },
});

export const listRoots = route({
  summary: 'The folders that are scanned, by path',
  response: Type.Object({
    items: Type.Array(
      Type.Object({
        path: Type.String(),
        system: Type.String(),
        scanned_at: Type.Union([timestamp, Type.Null()], {
          description: 'when a scan last walked the whole folder',
        }),
        files: Type.Integer({ description: 'number of known files below it' }),
        problem: textOrNull('why the last scan left it out; null if it did not'),
      }),
    ),
  }),
  async handle({ parts: { libraryFiles } }) {
    const items = await libraryFiles.roots();
    return { items: items.map(({ scannedAt, ...root }) => ({ ...root, scanned_at: scannedAt })) };
  },
});

function totalOf(counts: FileCounts, state: FileFilter['state']): number {
  if (state !== '') return counts[state];
  return fileStates.reduce((sum, each) => sum + counts[each], 0);
}

/** Returns a file as lists show it to the user of the request. Only editors see the path. */
export function toListItem(file: ShownFile, request: FastifyRequest) {
  const { id, name, size, system, serial, method, canonical, problem, path } = file;
  const isEditor = roleReaches(credentialOf(request).user.role, 'editor');
  return {
    id,
    name,
    size,
    modified_at: new Date(Number(file.mtimeNs / 1_000_000n)).toISOString(),
    system,
    release_id: file.releaseId,
    release_name: file.releaseName,
    serial,
    method,
    canonical,
    problem,
    ...(isEditor && { path }),
  };
}
