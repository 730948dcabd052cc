import type { Presentation } from '../../../core/shared/files/file-area.ts';
import type { BucketConfig } from './s3-client.ts';

/** Seconds for which a signed URL can be used. A download that has begun may take longer. */
export const signedUrlSeconds = 300;

/** Returns a signed URL of an object. */
export type SignUrl = (
  object: { Bucket: string; Key: string },
  presentation: Presentation,
) => Promise<string>;

/**
 * Returns a function that signs URLs for GET (AWS Signature Version 4, "Authenticating requests:
 * using query parameters"). The signature covers the host, so the URLs name the server as clients
 * reach it. The modules are imported on demand, because loading them is slow.
 */
export async function createSigner(config: BucketConfig): Promise<SignUrl> {
  const [s3, { getSignedUrl }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('@aws-sdk/s3-request-presigner'),
  ]);
  const { endpoint, publicEndpoint, region, accessKey, secretKey } = config;
  const client = new s3.S3Client({
    endpoint: publicEndpoint ?? endpoint,
    region,
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
    forcePathStyle: true,
    // Without this, the URL requests a checksum header, which older servers do not support.
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return (object, { type, disposition }) => {
    const command = new s3.GetObjectCommand({
      ...object,
      ResponseContentType: type,
      ResponseContentDisposition: disposition,
    });
    return getSignedUrl(client, command, { expiresIn: signedUrlSeconds });
  };
}
