import { ListMultipartUploadsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import type { BucketConfig } from '../../../src/files/s3/client/s3-client.ts';

/**
 * Returns the keys of the objects in a bucket, without the labels. Reads at most 1,000 keys,
 * including those of labels.
 */
export async function listKeys(address: BucketConfig): Promise<string[]> {
  return (await listAllKeys(address)).filter((key) => !isLabel(key));
}

/** Returns the keys of the labels in a bucket. */
export async function listLabels(address: BucketConfig): Promise<string[]> {
  return (await listAllKeys(address)).filter(isLabel);
}

const isLabel = (key: string) => `/${key}`.includes('/labels/');

async function listAllKeys(address: BucketConfig): Promise<string[]> {
  const client = clientOf(address);
  const list = new ListObjectsV2Command({ Bucket: address.bucket });
  const { Contents = [] } = await client.send(list);
  client.destroy();
  return Contents.map(({ Key = '' }) => Key).sort();
}

/** Returns the keys of the incomplete multipart uploads in a bucket. */
export async function listMultipartUploads(address: BucketConfig): Promise<string[]> {
  const client = clientOf(address);
  const list = new ListMultipartUploadsCommand({ Bucket: address.bucket });
  const { Uploads = [] } = await client.send(list);
  client.destroy();
  return Uploads.map(({ Key = '' }) => Key).sort();
}

export function clientOf({ endpoint, region, accessKey, secretKey }: BucketConfig): S3Client {
  const credentials = { accessKeyId: accessKey, secretAccessKey: secretKey };
  return new S3Client({ endpoint, region, credentials, forcePathStyle: true });
}
