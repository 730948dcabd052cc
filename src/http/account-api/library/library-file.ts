import { Type } from 'typebox';
import { methods } from '../../../core/library/library-file.ts';
import { unknownRelease } from '../../../core/library/library-files.ts';
import { matchRules } from '../../../core/library/match/reasons.ts';
import { type ExplainedFile, fileStates } from '../../../core/library/shown-files.ts';
import { invalidField, notFound } from '../../../core/shared/errors.ts';
import { actorOf } from '../accounts/access.ts';
import { include, unknownInclude, wantedFields } from '../releases/include.ts';
import { route } from '../route.ts';
import { integerId, Ok } from '../schemas.ts';
import { fileFields, textOrNull, toListItem } from './library.ts';

const fileParams = Type.Object({ file_id: integerId });
const integerOrNull = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description });
const namedRelease = Type.Object({ id: Type.Integer(), name: Type.String() });
const releaseChoice = Type.Object({
  ...namedRelease.properties,
  platform: Type.String(),
  region: Type.String(),
  serial: Type.String(),
});
const includable = ['choices'];

export const getLibraryFile = route({
  summary: 'The data read from a file of the library, and the reasons why it has its release',
  params: fileParams,
  query: Type.Object({ include: include(includable) }),
  response: Type.Object({
    ...fileFields,
    state: Type.String({ enum: [...fileStates] }),
    crc32: textOrNull('null until the file was hashed; for a packed file, the hash of its content'),
    md5: textOrNull('as `crc32`'),
    sha1: textOrNull('as `crc32`'),
    read: Type.Object(
      {
        container: Type.String({ description: 'the container in which the image is stored' }),
        disc: textOrNull('the kind of disc'),
        serial: textOrNull('as the disc states it'),
        title: textOrNull('as the disc states it'),
        region: Type.Array(Type.String(), {
          description: 'the regions in which the disc can be played',
        }),
        disc_number: integerOrNull('number of the disc in a set of several, from 1'),
        revision: integerOrNull('0 for the first pressing'),
        version: textOrNull('as the disc states it'),
        image_size: integerOrNull('size of the image inside, in bytes'),
        details: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
          description: 'further fields, as stored in the file',
        }),
      },
      { description: 'the data read from the file itself' },
    ),
    pointed_at: Type.Array(
      Type.Object({
        method: Type.String({ enum: [...methods] }),
        releases: Type.Array(namedRelease),
      }),
      {
        description:
          'the releases that each kind of evidence matches, strongest evidence first; at most 20 of each',
      },
    ),
    candidates: Type.Array(namedRelease, {
      description: 'the remaining releases, if no rule decided between them',
    }),
    decided_by: textOrNull('the file of its set whose match also decided for this file'),
    why: Type.Array(
      Type.Object({
        rule: Type.String({ enum: [...matchRules] }),
        release: namedRelease,
        held: Type.Boolean(),
      }),
      {
        description:
          'the rules that decided, in order, each for the releases that it kept (`held`) and ruled out; empty ' +
          'if an editor chose',
      },
    ),
    release_platform: textOrNull('the platform of its release; null without a release'),
    choices: Type.Optional(
      Type.Array(releaseChoice, {
        description: 'with `include=choices`: each release that any evidence matches, once',
      }),
    ),
  }),
  failures: [unknownInclude, notFound()],
  async handle({ parts: { libraryFiles }, params, query, request }) {
    const wanted = wantedFields(query.include, includable);
    const file = await libraryFiles.get(params.file_id);
    const { choices } = file;
    return {
      ...toListItem(file, request),
      ...toDetails(file),
      ...(wanted.has('choices') && { choices }),
    };
  },
});

export const matchLibraryFile = route({
  summary: 'Choose the release of a file, or take the choice back',
  params: fileParams,
  body: Type.Object({
    release_id: Type.Optional(integerOrNull('null to match by the evidence again')),
  }),
  response: Ok,
  failures: [notFound(), unknownRelease('<id>')],
  async handle({ parts: { libraryFiles }, params: { file_id }, body, request }) {
    await libraryFiles.mustExist(file_id);
    const { release_id } = body();
    if (release_id === undefined) throw invalidField('release_id', 'must be an id, or null');
    await libraryFiles.choose(file_id, release_id, actorOf(request));
    return { ok: true };
  },
});

function toDetails(file: ExplainedFile) {
  const { identity, hashes, state, releasesByMethod, candidates, decidedBy, why } = file;
  const { container, disc, serial, title, edition, imageSize } = identity;
  return {
    state,
    crc32: hashes?.crc32 ?? null,
    md5: hashes?.md5 ?? null,
    sha1: hashes?.sha1 ?? null,
    read: {
      container,
      disc,
      serial,
      title,
      region: edition.areas,
      disc_number: edition.disc,
      revision: edition.revision,
      version: edition.version,
      image_size: imageSize,
      details: Object.entries(identity.evidence).map(([name, value]) => ({ name, value })),
    },
    pointed_at: releasesByMethod,
    candidates,
    decided_by: decidedBy,
    why,
    release_platform: file.releasePlatform,
  };
}
