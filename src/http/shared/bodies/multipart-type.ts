import type { IncomingHttpHeaders } from 'node:http';
import { invalidField, malformedUpload, unsupportedMediaType } from '../../../core/shared/errors.ts';

/**
 * Throws a 415 if the headers of an upload announce anything but a plain multipart form. Missing
 * headers are accepted.
 */
export function checkUploadType(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  const type = headers['content-type'] ?? 'multipart/form-data';
  const isForm = /^multipart\/form-data[ \t]*(?:;|$)/i.test(type);
  if (!isForm || encoding.trim().toLowerCase() !== 'identity') throw unsupportedMediaType();
}

/**
 * Returns the boundary of a multipart form (RFC 2046, 5.1.1): 1 to 70 characters. Throws a 415 for
 * another content type or encoding, a 422 for no content type, and a 400 for an invalid boundary.
 */
export function readBoundary(headers: IncomingHttpHeaders): string {
  checkUploadType(headers);
  const type = headers['content-type'];
  if (type === undefined) throw invalidField('file', 'file part is required');
  const [, quoted, token] = /;[ \t]*boundary=(?:"([^"\\]*)"|([^\s;"\\]+))/i.exec(type) ?? [];
  const boundary = quoted ?? token ?? '';
  if (!/^[\x20-\x7e]{1,70}$/.test(boundary)) {
    throw malformedUpload(new Error('no boundary of 1 to 70 characters'));
  }
  return boundary;
}
