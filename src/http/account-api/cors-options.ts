import type { FastifyCorsOptions } from '@fastify/cors';
import type { FastifyRequest } from 'fastify';

/** Request headers of tus 1.0.0 (Cross-Origin Resource Sharing). */
const tusRequestHeaders = [
  'tus-resumable',
  'upload-length',
  'upload-offset',
  'upload-metadata',
  'upload-checksum',
];
const tusResponseHeaders = [
  'location',
  'tus-resumable',
  'tus-version',
  'tus-extension',
  'tus-max-size',
  'tus-checksum-algorithm',
  'upload-length',
  'upload-offset',
  'upload-metadata',
  'upload-expires',
];

/**
 * Returns a function that chooses the CORS options of a request. The options allow pages of these
 * origins to use this API. An OPTIONS request that is not a preflight is a normal request (Fetch,
 * 4.8), so it gets no CORS headers.
 */
export function corsDelegator(origins: readonly string[]) {
  const options: FastifyCorsOptions = {
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'authorization',
      'content-type',
      'range',
      'if-range',
      'if-none-match',
      'if-match',
      ...tusRequestHeaders,
    ],
    exposedHeaders: [
      'etag',
      'content-range',
      'content-disposition',
      'retry-after',
      ...tusResponseHeaders,
    ],
  };
  return async ({ method, headers }: FastifyRequest): Promise<FastifyCorsOptions> => {
    const isPreflight = headers.origin && headers['access-control-request-method'];
    return method === 'OPTIONS' && !isPreflight ? { origin: false } : options;
  };
}
