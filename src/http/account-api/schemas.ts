import { type TSchema, Type } from 'typebox';
import { matchMethods } from '../../core/library/library-file.ts';
import { ownerships } from '../../core/library/owned-releases.ts';
import {
  detailFields,
  editableFields,
  metaFields,
  ownFields,
} from '../../core/shared/release-fields.ts';
import { roles } from '../../core/shared/requests/role.ts';
import { writtenParts } from '../../core/stats/readiness.ts';
import { validatedByRoute } from '../shared/bodies/json-body.ts';

// One schema per kind of JSON object in requests and responses. The schemas validate requests,
// serialize responses and are part of the OpenAPI document.

/** Schema options for a text without NUL, because no database can search for NUL. */
const text = { pattern: '^[^\\u0000]*$' };

export const timestamp = Type.String({
  format: 'date-time',
  description: 'ISO 8601, UTC, milliseconds',
});
export const nullable = <T extends ReturnType<typeof Type.String>>(schema: T) =>
  Type.Union([schema, Type.Null()]);

export const ErrorBody = Type.Object({ detail: Type.String() }, { $id: 'Error' });
/** The error of a server that is not ready. Other errors of the same endpoint lack `not_ready`. */
export const NotReadyBody = Type.Object(
  {
    detail: Type.String(),
    not_ready: Type.Optional(Type.Array(Type.String({ enum: [...writtenParts] }))),
  },
  { $id: 'NotReady' },
);
export const Ok = Type.Object({ ok: Type.Boolean() });

export const roleName = Type.String({ enum: [...roles] });

const userFields = {
  id: Type.Integer(),
  username: Type.String(),
  role: roleName,
  is_active: Type.Integer({ enum: [0, 1], description: '1 = active, 0 = inactive' }),
};
export const UserShort = Type.Object(userFields);
export const UserRecord = Type.Object(
  { ...userFields, created_at: timestamp, last_login_at: nullable(timestamp) },
  { $id: 'User' },
);

export const TokenRecord = Type.Object(
  {
    id: Type.Integer(),
    label: Type.String(),
    kind: Type.String({ enum: ['api', 'web'] }),
    created_at: timestamp,
    last_used_at: nullable(timestamp),
    expires_at: nullable(timestamp),
    revoked_at: nullable(timestamp),
    current: Type.Optional(
      Type.Boolean({
        description: "with `include=current` of one's own: whether it is the token of this request",
      }),
    ),
  },
  { $id: 'Token' },
);

const itemFields = {
  id: Type.Integer(),
  system: Type.String(),
  name: Type.String(),
  region: Type.String(),
  serial: Type.String(),
  cover: Type.String({ description: 'always `/api/cover/<id>`' }),
};
/**
 * Schemas of extra fields, which the original API does not have. A response contains such a field
 * only if `include` requests it.
 */
const includedFields = {
  platform: Type.Optional(Type.String({ description: 'with `include=platform`' })),
  regions: Type.Optional(
    Type.Array(Type.String(), { description: 'with `include=region`: the regions as a list' }),
  ),
  cover_tag: Type.Optional(
    nullable(
      Type.String({
        description:
          'with `include=cover`: changes with the cover, for `tag` of its address; null without one',
      }),
    ),
  ),
};
const owned = Type.Optional(
  Type.Union([Type.String({ enum: [...ownerships] }), Type.Null()], {
    description:
      'with `include=owned`, for users: the strongest evidence that the library has it, or `stored` if only the store has an archive named like it; null otherwise',
  }),
);
export const ReleaseListItem = Type.Object(
  { ...itemFields, ...includedFields, owned },
  { $id: 'ReleaseListItem' },
);
export const RomRecord = Type.Object(
  {
    name: Type.String(),
    size: Type.Integer(),
    crc32: Type.String(),
    md5: Type.String(),
    sha1: Type.String(),
    serial: Type.String(),
  },
  { $id: 'Rom' },
);
const textsOf = <T extends TSchema>(fields: readonly string[], schema: T) =>
  Object.fromEntries(fields.map((field) => [field, schema]));
export const MetaRecord = Type.Object(
  {
    title: Type.Optional(Type.String()),
    manual: Type.Optional(Type.Boolean()),
    ...textsOf(
      metaFields.filter((field) => field !== 'title'),
      Type.Optional(Type.String()),
    ),
    franchise: Type.Optional(Type.String({ description: 'with `include=franchise`' })),
  },
  { $id: 'Metadata', description: 'empty when no record exists' },
);
export const SourceRecord = Type.Object(
  {
    id: Type.Integer(),
    source: Type.String({ description: 'the name of the source, else that of its DAT' }),
    ...textsOf(ownFields, Type.String()),
    shown: Type.Boolean({
      description: 'true if the release shows this row, except for edited fields',
    }),
    gone: Type.Boolean({
      description: 'the newest DAT of the source no longer contains the release',
    }),
  },
  { $id: 'Source', description: 'the data of one source about a release' },
);
export const EditRecord = Type.Object(
  {
    field: Type.String({ enum: [...editableFields] }),
    edited_at: timestamp,
    imported: nullable(Type.String({ description: 'what imports would show; null for nothing' })),
  },
  { $id: 'Edit', description: 'a field that was edited by hand' },
);
export const ReleaseRecord = Type.Object(
  {
    ...itemFields,
    ...textsOf(detailFields, Type.String()),
    roms: Type.Array(Type.Ref('Rom')),
    meta: Type.Ref('Metadata'),
    ...includedFields,
    sources: Type.Optional(
      Type.Array(Type.Ref('Source'), { description: 'with `include=sources`' }),
    ),
    edits: Type.Optional(Type.Array(Type.Ref('Edit'), { description: 'with `include=edits`' })),
  },
  { $id: 'Release' },
);

export const LibraryFileRecord = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    size: Type.Integer({ description: 'size of the file in bytes' }),
    method: Type.String({ enum: [...matchMethods], description: 'how the file was matched' }),
    rom: nullable(Type.String({ description: 'the ROM that it is; null when no ROM is it' })),
    path: Type.Optional(Type.String({ description: 'only for editors' })),
  },
  { $id: 'LibraryFile' },
);

export const ArchiveRecord = Type.Object(
  {
    name: Type.String(),
    filename: Type.String(),
    size: Type.Integer(),
    mtime_ns: Type.Integer({ description: 'nanoseconds since 1970; exceeds 2^53' }),
    system: Type.String(),
    release: Type.Optional(
      Type.Union([Type.Object({ id: Type.Integer(), name: Type.String() }), Type.Null()], {
        description: 'with `include=release`: the release whose name it has',
      }),
    ),
    sha256: Type.Optional(
      nullable(
        Type.String({
          description:
            'with `include=sha256`: as it was stored; null when it was laid there by hand',
        }),
      ),
    ),
  },
  { $id: 'Archive' },
);

const ruleSchema = Type.Unsafe<unknown>({
  type: 'object',
  additionalProperties: true,
  description:
    'a group, `{"all": [rule]}`, `{"any": [rule]}` or `{"not": rule}`, or a condition such as `{"field": "platform", "is": "Sony - PlayStation"}` with `is`, `in`, `contains`, or `from` and `to`',
});
const preferenceFields = Type.Object({
  one_per_game: Type.Boolean({
    default: true,
    description: 'true for one edition of each game, false for all',
  }),
  regions: Type.Array(Type.String(), { default: [], description: 'best first' }),
  languages: Type.Array(Type.String(), {
    default: [],
    description: 'codes such as `En`, best first',
  }),
  revision: Type.String({ enum: ['newest', 'oldest'], default: 'newest' }),
  avoid: Type.Array(Type.String(), {
    default: [],
    description:
      'tags such as `Demo`; an edition with such a tag is chosen only if there is no other',
  }),
  among: Type.String({
    enum: ['catalogue', 'library'],
    default: 'catalogue',
    description: '`library`: only editions with at least one disc in the library',
  }),
});
const preferDescription =
  'the editions of games that the set contains; null for all that the rule selects';
const preferSchema = Type.Union([preferenceFields, Type.Null()], {
  description: preferDescription,
});
export const SetRecord = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    owner: nullable(Type.String({ description: 'user name; null if the set has no owner' })),
    shared: Type.Boolean({ description: 'true if all users see it' }),
    rule: ruleSchema,
    prefer: preferSchema,
    count: Type.Union([Type.Integer(), Type.Null()], {
      description: 'number of its releases; null if they are not counted yet',
    }),
  },
  { $id: 'Set' },
);

export const DeviceRecord = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    set: Type.Object({ id: Type.Integer(), name: Type.String() }),
    profile: Type.String(),
    created_at: timestamp,
    expires_at: nullable(timestamp),
    last_used_at: nullable(timestamp),
    last_file: nullable(
      Type.String({ description: 'path of the file that it read last, below its address' }),
    ),
    last_file_at: nullable(timestamp),
  },
  { $id: 'Device', description: 'a device that reads the files of a set' },
);

export const sharedSchemas = [
  ErrorBody,
  NotReadyBody,
  UserRecord,
  TokenRecord,
  ReleaseListItem,
  RomRecord,
  MetaRecord,
  SourceRecord,
  EditRecord,
  ReleaseRecord,
  LibraryFileRecord,
  ArchiveRecord,
  SetRecord,
  DeviceRecord,
];

/**
 * Schema of a text field in a request. Null counts as missing; in a request that overwrites a
 * value, null empties the value.
 */
export const textField = Type.Optional(Type.Union([Type.String(text), Type.Null()]));
/**
 * Schema of a password. Any text is valid, even with NUL, because only the password's hash is
 * stored.
 */
export const passwordField = Type.Optional(Type.Union([Type.String(), Type.Null()]));
/**
 * Returns the schema of a field that the route validates itself. The schema accepts any value here;
 * `schema` only documents which values clients should send.
 */
export const anyField = (schema: TSchema) =>
  Type.Optional(Type.Unsafe<unknown>({ ...schema, [validatedByRoute]: true }));

/** The fields of a set in a request. The rule and the preference are validated by the route. */
export const setFields = {
  name: textField,
  shared: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  rule: anyField(ruleSchema),
  prefer: anyField(
    Type.Union([Type.Partial(preferenceFields), Type.Null()], { description: preferDescription }),
  ),
};

export const integerId = Type.Integer();
