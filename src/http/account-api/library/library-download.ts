import { Type } from 'typebox';
import { fileOnOtherHost, libraryDownloadsOff, notFound } from '../../../core/shared/errors.ts';
import { sendFile } from '../../shared/files/send-file.ts';
import { FileContent } from '../../shared/routes/route.ts';
import { allowPauses } from '../../shared/server/connections.ts';
import { credentialOf } from '../accounts/access.ts';
import { route } from '../route.ts';
import { integerId } from '../schemas.ts';

const type = 'application/octet-stream';

export const downloadLibraryFile = route({
  summary: 'Download a file of the library, as it is on the disk',
  params: Type.Object({ file_id: integerId }),
  response: new FileContent([type], { isAttachment: true }),
  failures: [libraryDownloadsOff(), notFound(), fileOnOtherHost('<host>')],
  async handle({ parts: { libraryDownloads }, params, request, reply }) {
    const opened = await libraryDownloads.open(params.file_id);
    allowPauses(request);
    return sendFile(request, reply, opened.file, {
      type,
      attachment: opened.file.name,
      onStart: () => libraryDownloads.recordDownload(opened, credentialOf(request).user.id),
    });
  },
});
