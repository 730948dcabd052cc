import { Type } from 'typebox';
import { route } from '../route.ts';
import type { RouteParts } from '../services.ts';
import { presentedToken } from './presented-token.ts';
import { toUserRecord } from './users.ts';

export const getSession = route({
  summary: 'The current user, and public facts about the server',
  response: Type.Object({
    user: Type.Union([Type.Ref('User'), Type.Null()], {
      description: 'null without a live token',
    }),
    releases: Type.Union([Type.Integer(), Type.Null()], {
      description: 'the number of releases; null for anonymous users if signing in is required',
    }),
    version: Type.String({ description: 'the build stamp, which changes with every upgrade' }),
    sign_in_required: Type.Boolean(),
    collection: Type.Boolean({
      description:
        'true if the library has a file, or the store an archive; false for anonymous users',
    }),
    library_downloads: Type.Boolean({
      description: 'whether users may download files of the library',
    }),
    catalogue_source: Type.Boolean({
      description: 'whether editors can start a job `fetch-catalogue`',
    }),
  }),
  readsCredentials: true,
  async handle({ parts, request, reply }) {
    const { accounts, releases, buildVersion, requireSignIn } = parts;
    const presented = presentedToken(request);
    const credential = presented && (await accounts.findCredential(presented.token));
    reply.header('cache-control', 'no-store');
    return {
      user: credential && toUserRecord(credential.user),
      releases: credential === null && requireSignIn ? null : await releases.total(),
      version: buildVersion,
      sign_in_required: requireSignIn,
      collection: credential !== null && (await hasCollection(parts)),
      library_downloads: parts.libraryDownloads.isOn,
      catalogue_source: parts.catalogueFetcher.hasSource,
    };
  },
});

/** Returns true if the library has a file, or the store an archive. */
async function hasCollection({ ownedReleases, store }: RouteParts): Promise<boolean> {
  return (await ownedReleases.hasFiles()) || (await store.hasAny());
}
