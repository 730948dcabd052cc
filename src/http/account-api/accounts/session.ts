import { Type } from 'typebox';
import { route } from '../route.ts';
import { presentedToken } from './access.ts';
import { toUserRecord } from './users.ts';

export const getSession = route({
  summary: 'Who is asking, and what everybody may know of the server',
  response: Type.Object({
    user: Type.Union([Type.Ref('User'), Type.Null()], {
      description: 'null without a live token',
    }),
    releases: Type.Union([Type.Integer(), Type.Null()], {
      description: 'how many there are; null for strangers where signing in is required',
    }),
    version: Type.String({ description: 'of the build; changes with every upgrade' }),
    sign_in_required: Type.Boolean(),
  }),
  readsCredentials: true,
  async handle({ parts: { accounts, releases, buildVersion, requireSignIn }, request, reply }) {
    const presented = presentedToken(request);
    const credential = presented && (await accounts.findCredential(presented.token));
    reply.header('cache-control', 'no-store');
    return {
      user: credential && toUserRecord(credential.user),
      releases: credential === null && requireSignIn ? null : await releases.total(),
      version: buildVersion,
      sign_in_required: requireSignIn,
    };
  },
});
