import type { FastifyCorsOptions } from '@fastify/cors';
import type { FastifyRequest } from 'fastify';

/** Headers of tus 1.0.0, Cross-Origin Resource Sharing. */
const tusRequest = [
  'tus-resumable',
  'upload-length',
  'upload-offset',
  'upload-metadata',
  'upload-checksum',
];
const tusAnswer = [
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
 * Returns what the pages of these origins may request and read. OPTIONS that is not a preflight
 * (Fetch, 4.8) is a normal method, which few paths support.
 */
export function preflightsOnly(origins: readonly string[]) {
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
      ...tusRequest,
    ],
    exposedHeaders: ['etag', 'content-range', 'content-disposition', 'retry-after', ...tusAnswer],
  };
  return async ({ method, headers }: FastifyRequest): Promise<FastifyCorsOptions> => {
    const isPreflight = headers.origin && headers['access-control-request-method'];
    return method === 'OPTIONS' && !isPreflight ? { origin: false } : options;
  };
}
