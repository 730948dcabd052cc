import { Type } from 'typebox';
import { type Download, downloadKinds } from '../../../core/store/downloads.ts';
import { credentialOf } from '../accounts/access.ts';
import { newestFields, newestPageOf } from '../paging.ts';
import { route } from '../route.ts';
import { timestamp } from '../schemas.ts';

const ownQuery = {
  ...newestFields,
  name: Type.String({
    default: '',
    description: 'only this file name, compared exactly; empty for all',
  }),
};
const response = Type.Object({
  items: Type.Array(
    Type.Object({
      id: Type.Integer(),
      created_at: timestamp,
      username: Type.Union([Type.String(), Type.Null()], {
        description: 'null when the user no longer exists or was not recorded',
      }),
      kind: Type.String({
        enum: [...downloadKinds],
        description:
          '`archive`: a file of the store; `library`: a file of the library; `stream`: a file that a device read, once an hour',
      }),
      system: Type.String({
        description: 'the area of an archive, or the system of the root of a library file',
      }),
      name: Type.String(),
      bytes: Type.Integer(),
    }),
  ),
});

export const listDownloads = route({
  summary: 'The downloads of all users, newest first',
  query: Type.Object({
    ...ownQuery,
    username: Type.String({
      default: '',
      description: 'only this user, compared exactly; empty for all',
    }),
  }),
  response,
  async handle({ parts: { downloads }, query }) {
    const { username, name } = query;
    const by = username === '' ? null : { username };
    return toList(await downloads.list({ by, name }, newestPageOf(query)));
  },
});

export const listOwnDownloads = route({
  summary: "One's own downloads, newest first",
  query: Type.Object(ownQuery),
  response,
  async handle({ parts: { downloads }, query, request }) {
    const by = { id: credentialOf(request).user.id };
    return toList(await downloads.list({ by, name: query.name }, newestPageOf(query)));
  },
});

function toList(items: readonly Download[]) {
  return { items: items.map(({ createdAt, ...rest }) => ({ ...rest, created_at: createdAt })) };
}
