import type { FastifyReply, FastifyRequest } from 'fastify';
import { CatalogError, invalidField, unsupportedTusVersion } from '../../../core/shared/errors.ts';
import { type Checksum, checksumAlgorithms } from '../../../core/uploads/chunk-bytes.ts';

// The protocol tus 1.0.0: https://tus.io/protocols/resumable-upload

const version = '1.0.0';

/** Headers of every response of the protocol. */
export const tusHeaders = { 'tus-resumable': version };

/**
 * Returns the headers that describe the supported features of tus. They include the maximum upload
 * size in bytes, if there is one.
 */
export function tusCapabilities(maxBytes: number | undefined): Record<string, string | number> {
  return {
    'tus-version': version,
    'tus-extension': 'creation,checksum,expiration,termination',
    'tus-checksum-algorithm': checksumAlgorithms.join(','),
    ...(maxBytes !== undefined && { 'tus-max-size': maxBytes }),
  };
}

/**
 * Throws a 412 if a request is for another version of tus, and names the supported version in the
 * header `Tus-Version`. POST and PATCH requests must name a version. Other requests may omit it, so
 * that browsers and other clients can view and delete uploads.
 */
export function checkTusVersion({ headers, method }: FastifyRequest, reply: FastifyReply): void {
  const given = headers['tus-resumable'];
  const isNeeded = method === 'POST' || method === 'PATCH';
  if (given === version || (given === undefined && !isNeeded)) return;
  reply.header('tus-version', version);
  throw unsupportedTusVersion();
}

/**
 * Parses a header that contains a number of bytes. Throws a 422 that names the header if the number
 * is missing or invalid.
 */
export function readBytesHeader(request: FastifyRequest, name: string): number {
  const text = String(request.headers[name.toLowerCase()] ?? '');
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  throw invalidField(name, 'must be a whole number of bytes');
}

/**
 * Parses `Upload-Metadata`: pairs separated by commas. A pair is a key, a space, and the value in
 * Base64; a key may lack a value. Throws a 422 that names the header if a pair is malformed.
 */
export function readMetadata(text: string): ReadonlyMap<string, string> {
  const pairs = text.split(',').map((pair) => pair.trim());
  return new Map(
    pairs
      .filter((pair) => pair !== '')
      .map((pair) => {
        const [key = '', value = '', ...rest] = pair.split(' ');
        if (rest.length > 0 || !isBase64(value)) {
          throw invalidField('Upload-Metadata', 'must be keys with values in Base64, by commas');
        }
        return [key, Buffer.from(value, 'base64').toString()];
      }),
  );
}

const digestBytes = { sha1: 20, sha256: 32 } as const;

/**
 * Parses the header `Upload-Checksum`; returns null if the header is absent. Throws a 400 for an
 * unknown algorithm or an invalid digest (tus, checksum).
 */
export function readChecksum(request: FastifyRequest): Checksum | null {
  const text = request.headers['upload-checksum'];
  if (text === undefined) return null;
  const [name, value = ''] = String(text).trim().split(/ +/);
  const algorithm = checksumAlgorithms.find((each) => each === name);
  if (algorithm === undefined || !isBase64(value)) throw invalidChecksum();
  const digest = Buffer.from(value, 'base64');
  if (digest.length !== digestBytes[algorithm]) throw invalidChecksum();
  return { algorithm, digest };
}

export const invalidChecksum = () =>
  new CatalogError('invalid', 'Upload-Checksum: must be sha1 or sha256 and a digest in Base64');

function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}
