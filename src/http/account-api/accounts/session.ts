import { Type } from 'typebox';
import { route } from '../route.ts';
import type { RouteParts } from '../services.ts';
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
    collection: Type.Boolean({
      description: 'the library has a file, or the store an archive; false for strangers',
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
