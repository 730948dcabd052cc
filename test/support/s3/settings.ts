import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BucketConfig } from '../../../src/files/s3/client/s3-client.ts';
import type { Sandbox } from '../process.ts';

/**
 * Returns the environment variables that make programs store files in a bucket. As in containers,
 * the secret is in a file.
 */
export function settingsOf({ folder }: Sandbox, of: BucketConfig): Record<string, string> {
  const file = join(folder, 'secret');
  writeFileSync(file, `${of.secretKey}\n`);
  return {
    CATALOG_FILES: `s3://${of.bucket}/${of.prefix}`,
    CATALOG_S3_ENDPOINT: of.endpoint,
    CATALOG_S3_ACCESS_KEY: of.accessKey,
    CATALOG_S3_SECRET_KEY_FILE: file,
  };
}
