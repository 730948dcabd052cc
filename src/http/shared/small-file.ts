import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StoredFile } from '../../core/shared/file-area.ts';
import { bytesFile } from './bytes-file.ts';
import { modifiedMs } from './file-answer.ts';
import type { KeptAnswer } from './response-cache/response-heads.ts';
import { sendFile } from './send-file.ts';

/** A file whose bytes are small enough to be kept in memory, and how it is presented. */
export interface SmallFile {
  readonly bytes: Buffer;
  /** `etag` and the time of modification are sent. */
  readonly facts: StoredFile;
  /** Content type. */
  readonly type: string;
  /** Header fields of its own. */
  readonly headers: Readonly<Record<string, string>>;
}

/** One that was seen to be current, and is for as long as `look` tells the same. */
export interface KeptFile extends KeptAnswer, SmallFile {
  readonly seen: string;
  /** Whether it still is, told at once. */
  readonly isCurrent: () => boolean;
}

/** Null where the time that is sent of it moves: one that lies in the future is sent as the present. */
export function keptFile(file: SmallFile, seen: string, look: () => string | null) {
  if (modifiedMs(file.facts) > Date.now()) return null;
  const kept: KeptFile = { ...file, seen, etag: file.facts.etag, isCurrent: () => look() === seen };
  return kept;
}

/** As `sendFile`, of bytes in memory. */
export function sendSmallFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, facts, type, headers }: SmallFile,
): Promise<FastifyReply> {
  reply.headers(headers);
  return sendFile(request, reply, bytesFile(bytes, facts), { type });
}
