import { Type } from 'typebox';
import { notFound } from '../../../core/shared/errors.ts';
import { sendTextFile } from '../../shared/files/send-text-file.ts';
import { TextContent } from '../../shared/routes/route.ts';
import { route } from '../route.ts';
import { integerId } from '../schemas.ts';

const platformParams = Type.Object({ platform_id: integerId });

export const listPlatforms = route({
  summary: 'The platforms, with the number of their releases in the library, by name',
  response: Type.Object({
    items: Type.Array(
      Type.Object({
        id: Type.Integer(),
        name: Type.String(),
        system: Type.String({ description: 'the system of most of its releases' }),
        releases: Type.Integer(),
        have: Type.Integer({ description: 'number of releases with a file in the library' }),
        verified: Type.Integer({
          description: 'number of releases with a file that was matched by a hash',
        }),
        covers: Type.Integer({ description: 'number of releases with a cover' }),
      }),
    ),
  }),
  async handle({ parts: { platforms } }) {
    return { items: await platforms.list() };
  },
});

export const getMissingCsv = route({
  summary: 'The releases of a platform that the library lacks, as CSV, by name',
  params: platformParams,
  response: new TextContent('text/csv'),
  failures: [notFound()],
  async handle({ parts: { platforms }, params, request, reply }) {
    const { platform, text } = await platforms.missingCsv(params.platform_id);
    return sendTextFile(request, reply, text, {
      name: `${platform} (missing).csv`,
      type: 'text/csv',
    });
  },
});

export const getMissingDat = route({
  summary: 'The releases of a platform that the library lacks, as a DAT in Logiqx XML, by name',
  params: platformParams,
  response: new TextContent('application/xml'),
  failures: [notFound()],
  async handle({ parts: { platforms }, params, request, reply }) {
    const { platform, text } = await platforms.missingDat(params.platform_id);
    const type = 'application/xml';
    return sendTextFile(request, reply, text, { name: `${platform} (missing).dat`, type });
  },
});
