import type { BucketRequests } from './bucket-requests.ts';

/** An object in a listing. */
export interface ListedObject {
  /** Key relative to the bucket URL. */
  readonly key: string;
  /** Size in bytes. */
  readonly size: number;
}

/**
 * Lists the objects whose keys start with the prefix, a thousand per request. Requests URL-encoded
 * keys, because XML cannot represent every key.
 */
export async function* listObjects(
  requests: BucketRequests,
  prefix: string,
): AsyncGenerator<ListedObject> {
  const { Bucket, Key: Prefix } = requests.objectParams(prefix);
  const front = Prefix.length - prefix.length;
  for (let ContinuationToken: string | undefined; ; ) {
    const input = { Bucket, Prefix, ContinuationToken, EncodingType: 'url' as const };
    const response = await requests.send('quick', ({ client, s3 }, abortSignal) =>
      client.send(new s3.ListObjectsV2Command(input), { abortSignal }),
    );
    for (const { Key = '', Size = 0 } of response.Contents ?? []) {
      yield { key: decodeKey(Key).slice(front), size: Size };
    }
    ContinuationToken = response.NextContinuationToken;
    if (!response.IsTruncated || ContinuationToken === undefined) return;
  }
}

/**
 * Decodes a URL-encoded key. A key that is not UTF-8 is returned unchanged; no object is found
 * under such a key.
 */
function decodeKey(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    return key;
  }
}
