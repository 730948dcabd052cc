import { refused } from '../../../core/shared/errors.ts';
import type { BucketConfig } from './s3-client.ts';

/** The settings of an object store (docs/operating/s3.md). */
export interface S3Settings {
  /** URL of the form `s3://bucket/prefix`. */
  readonly files: string;
  /** URL of the S3 server; "" for the AWS endpoint of the region. */
  readonly s3Endpoint: string;
  readonly s3Region: string;
  readonly s3AccessKey: string;
  readonly s3SecretKey: string;
  /** URL of the S3 server for clients; "" if clients use `s3Endpoint`. */
  readonly s3PublicEndpoint?: string;
}

/**
 * Returns the location of the objects and the credentials for the store. Throws refused() if the
 * access key or the secret key is missing.
 */
export function bucketConfigOf(settings: S3Settings): BucketConfig {
  const { files, s3Endpoint, s3Region: region, s3AccessKey, s3SecretKey } = settings;
  if (s3AccessKey === '' || s3SecretKey === '') {
    throw refused(
      `${files} needs keys: set CATALOG_S3_ACCESS_KEY and CATALOG_S3_SECRET_KEY, or each with _FILE`,
    );
  }
  const [bucket = '', ...prefix] = files.slice('s3://'.length).split('/');
  const endpoint = s3Endpoint || `https://s3.${region}.amazonaws.com`;
  return {
    ...{ bucket, prefix: prefix.join('/'), region },
    endpoint,
    ...(settings.s3PublicEndpoint && { publicEndpoint: settings.s3PublicEndpoint }),
    accessKey: s3AccessKey,
    secretKey: s3SecretKey,
  };
}
