import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OpenedFile } from '../../../core/shared/files/file-area.ts';
import type { Area } from '../../../core/store/area.ts';
import {
  accelerateFile,
  type DelegatedFile,
  redirectToFile,
} from '../../shared/files/delegate-file.ts';
import { sendFile } from '../../shared/files/send-file.ts';

/**
 * The server that sends the bytes of archives:
 * - direct: this server;
 * - redirect: the object store, to which clients are redirected;
 * - accel: nginx in front of this server, from the same folder.
 */
export type ArchiveSender = 'direct' | 'redirect' | 'accel';

/** Responds to a request for an archive. Always closes the file. */
type SendArchive = (
  request: FastifyRequest,
  reply: FastifyReply,
  file: OpenedFile,
  sending: DelegatedFile & { readonly area: Area },
) => Promise<FastifyReply>;

export const sendArchive: Readonly<Record<ArchiveSender, SendArchive>> = {
  direct: sendFile,
  redirect: redirectToFile,
  accel(request, reply, file, sending) {
    // docs/operating/proxy.md and deploy/nginx.conf name this path
    const path = `/catalog-store/${sending.area}/${encodeURIComponent(file.name)}`;
    return accelerateFile(request, reply, file, { ...sending, path });
  },
};
