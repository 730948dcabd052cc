import { Type } from 'typebox';
import { choiceRules, maxChoices } from '../../../core/library/alike-choices.ts';
import { unknownRelease } from '../../../core/library/library-files.ts';
import { invalidField, notFound } from '../../../core/shared/errors.ts';
import { actorOf } from '../accounts/access.ts';
import { route } from '../route.ts';

const namedRelease = Type.Object({ id: Type.Integer(), name: Type.String() });
const id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const maxOthers = 100;
const mustBeIds = (field: string) =>
  invalidField(field, `must be 1 to ${maxOthers} ids, by commas`);

export const listAlike = route({
  summary:
    'The rules by which a release was chosen instead of others, and the other files that they decide',
  query: Type.Object({
    chosen: Type.Integer({ default: 0, description: 'id of the release that was chosen' }),
    others: Type.String({
      default: '',
      description: `ids of the other candidates, separated by commas, at most ${maxOthers}`,
    }),
  }),
  response: Type.Object({
    items: Type.Array(
      Type.Object({
        rule: Type.String({
          enum: [...choiceRules],
          description:
            '`region`, `platform`: the only release with this `value`; `newest`, `first`: the highest or lowest revision',
        }),
        value: Type.String({ description: 'the region or platform; empty for other rules' }),
        files: Type.Array(
          Type.Object({ id: Type.Integer(), name: Type.String(), release: namedRelease }),
          {
            description: `the undecided files that the rule decides, by name, at most ${maxChoices}`,
          },
        ),
      }),
    ),
  }),
  failures: [mustBeIds('others'), invalidField('others', 'there is no such release')],
  async handle({ parts: { libraryFiles }, query: { chosen, others } }) {
    if (!/^\d{1,15}(?:,\d{1,15}){0,99}$/.test(others)) throw mustBeIds('others');
    const ids = others.split(',').map(Number);
    return { items: await libraryFiles.findAlike({ chosen, others: ids }) };
  },
});

export const matchLibraryFiles = route({
  summary: 'Choose the releases of several files at once, or take the choices back',
  body: Type.Object({
    files: Type.Optional(
      Type.Array(
        Type.Object({
          file_id: id,
          release_id: Type.Union([id, Type.Null()], {
            description: 'null to match by the evidence again',
          }),
        }),
        { minItems: 1, maxItems: maxChoices },
      ),
    ),
  }),
  response: Type.Object({
    ok: Type.Literal(true),
    files: Type.Array(Type.Integer(), {
      description:
        'ids of the files that were decided; the others already had a release, or had no choice to take back',
    }),
  }),
  failures: [notFound(), unknownRelease('<id>')],
  async handle({ parts: { libraryFiles }, body, request }) {
    const { files } = body();
    if (files === undefined) throw invalidField('files', `must be 1 to ${maxChoices} files`);
    const choices = files.map(({ file_id, release_id }) => ({
      id: file_id,
      releaseId: release_id,
    }));
    if (new Set(choices.map((choice) => choice.id)).size < choices.length) {
      throw invalidField('files', 'must name each file once');
    }
    return { ok: true, files: await libraryFiles.chooseAll(choices, actorOf(request)) };
  },
});
