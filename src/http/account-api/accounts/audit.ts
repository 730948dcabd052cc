import { Type } from 'typebox';
import { newestFields, newestPageOf } from '../paging.ts';
import { route } from '../route.ts';
import { timestamp } from '../schemas.ts';

const filter = (what: string) =>
  Type.String({ default: '', description: `${what}; empty for all` });
const textOrNull = (description: string) =>
  Type.Union([Type.String(), Type.Null()], { description });

export const listAudit = route({
  summary: 'The audit log, newest first',
  query: Type.Object({
    ...newestFields,
    action: filter('only this action, compared exactly, such as `release.edit`'),
    username: filter('only this user name, compared exactly'),
    target: filter('only this target, compared exactly, such as `release/12`'),
  }),
  response: Type.Object({
    items: Type.Array(
      Type.Object({
        id: Type.Integer(),
        at: timestamp,
        kind: Type.String({ enum: ['user', 'cli', 'system'] }),
        username: textOrNull(
          'for the command line the account of the machine; null for the system',
        ),
        address: textOrNull('null unless a user acted over HTTP'),
        action: Type.String(),
        target: Type.String(),
        detail: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], {
          description: 'what changed; depends on the action',
        }),
      }),
    ),
  }),
  async handle({ parts: { audit }, query }) {
    return { items: await audit.list(query, newestPageOf(query)) };
  },
});
