import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BucketAddress } from '../../../src/files/s3/s3-client.ts';
import type { Sandbox } from '../process.ts';

/**
 * Returns the variables that make programs store files in a bucket. The secret is in a file of the
 * sandbox, as in containers.
 */
export function settingsOf({ folder }: Sandbox, of: BucketAddress): Record<string, string> {
  const file = join(folder, 'secret');
  writeFileSync(file, `${of.secretKey}\n`);
  return {
    CATALOG_FILES: `s3://${of.bucket}/${of.prefix}`,
    CATALOG_S3_ENDPOINT: of.endpoint,
    CATALOG_S3_ACCESS_KEY: of.accessKey,
    CATALOG_S3_SECRET_KEY_FILE: file,
  };
}
