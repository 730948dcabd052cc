import type { BucketAsker } from './bucket-asker.ts';

/** An object, as it is listed. */
export interface ListedObject {
  /** Below the address of the store. */
  readonly key: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * The objects whose keys begin so, a thousand in a request. Keys are asked for as in addresses, because XML cannot hold each
 * of them.
 */
export async function* listObjects(
  asker: BucketAsker,
  prefix: string,
): AsyncGenerator<ListedObject> {
  const { Bucket, Key: Prefix } = asker.at(prefix);
  const front = Prefix.length - prefix.length;
  for (let ContinuationToken: string | undefined; ; ) {
    const input = { Bucket, Prefix, ContinuationToken, EncodingType: 'url' as const };
    const answer = await asker.ask('quick', ({ client, s3 }, abortSignal) =>
      client.send(new s3.ListObjectsV2Command(input), { abortSignal }),
    );
    for (const { Key = '', Size = 0 } of answer.Contents ?? []) {
      yield { key: decoded(Key).slice(front), size: Size };
    }
    ContinuationToken = answer.NextContinuationToken;
    if (!answer.IsTruncated || ContinuationToken === undefined) return;
  }
}

/** A key that is no UTF-8 stays as it was sent, and is found under no such name. */
function decoded(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    return key;
  }
}
