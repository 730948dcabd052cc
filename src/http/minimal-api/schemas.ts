import { type TSchema, Type } from 'typebox';
import { matchMethods } from '../../core/library/library-file.ts';

// One schema per kind of JSON object in minimal-api.md, for the OpenAPI document.

const ErrorBody = Type.Object({ error: Type.String() }, { $id: 'Error' });

const itemFields = {
  id: Type.Integer(),
  system: Type.String(),
  name: Type.String(),
  region: Type.String(),
  serial: Type.String(),
  cover: Type.String({ description: 'always `/api/cover/<id>`' }),
};
const ReleaseListItem = Type.Object(itemFields, { $id: 'ReleaseListItem' });
const RomRecord = Type.Object(
  {
    name: Type.String(),
    size: Type.Integer({ description: 'bytes; 0 if the DAT does not state it' }),
    crc32: Type.String(),
    md5: Type.String(),
    sha1: Type.String(),
    serial: Type.String(),
  },
  { $id: 'Rom', description: 'hashes are lower-case hexadecimal; missing texts are empty' },
);
const ReleaseRecord = Type.Object(
  { ...itemFields, description: Type.String(), roms: Type.Array(Type.Ref('Rom')) },
  { $id: 'Release' },
);

const ArchiveRecord = Type.Object(
  {
    name: Type.String(),
    filename: Type.String({ description: 'the same as `name`' }),
    size: Type.Integer({ description: 'bytes' }),
    mtime_ns: Type.Integer({ description: 'nanoseconds since 1970; exceeds 2^53' }),
  },
  { $id: 'Archive' },
);

const nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const LibraryItemRecord = Type.Object(
  {
    name: Type.String({ description: 'file name' }),
    path: Type.String({ description: 'path on the server' }),
    size: Type.Integer({ description: 'bytes' }),
    system: nullable(Type.String(), 'the system of the matched release, else of the library root'),
    release_id: nullable(Type.Integer(), 'null when no release matched'),
    serial: nullable(Type.String(), 'the serial read from the file, such as `SLUS-99904`'),
    method: nullable(Type.String({ enum: [...matchMethods] }), 'how the release was found'),
    canonical: nullable(Type.String(), 'the name that the file should have according to the DAT'),
    cover: nullable(Type.String(), '`/api/cover/<release_id>`, null without a release'),
  },
  { $id: 'LibraryItem' },
);

/** The schemas that other schemas refer to by `$id`. */
export const sharedSchemas = [
  ErrorBody,
  ReleaseListItem,
  RomRecord,
  ReleaseRecord,
  ArchiveRecord,
  LibraryItemRecord,
];
