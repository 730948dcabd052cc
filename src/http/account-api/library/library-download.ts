import { Type } from 'typebox';
import { fileOnOtherHost, libraryDownloadsOff, notFound } from '../../../core/shared/errors.ts';
import { sendFile } from '../../shared/files/send-file.ts';
import { FileContent } from '../../shared/routes/route.ts';
import { allowPauses } from '../../shared/server/connections.ts';
import { credentialOf } from '../accounts/access.ts';
import { route } from '../route.ts';
import { integerId } from '../schemas.ts';

const type = 'application/octet-stream';

const zipType = 'application/zip';

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

export const downloadRelease = route({
  summary: 'Download all files of the library that a release was matched with, as a zip',
  params: Type.Object({ release_id: integerId }),
  response: new FileContent([zipType], { isAttachment: true }),
  failures: [libraryDownloadsOff(), notFound(), fileOnOtherHost('<host>')],
  async handle({ parts: { libraryDownloads, releases }, params, request, reply }) {
    if (!libraryDownloads.isOn) throw libraryDownloadsOff();
    const { id, name } = await releases.get(params.release_id);
    const opened = await libraryDownloads.openRelease({ id, name });
    allowPauses(request);
    return sendFile(request, reply, opened.file, {
      type: zipType,
      attachment: opened.file.name,
      onStart: () => libraryDownloads.recordDownload(opened, credentialOf(request).user.id),
    });
  },
});
