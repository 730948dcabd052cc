/**
 * Thrown when the bytes of a recorded file are missing, although the storage itself works. For
 * example, another program deleted the object from the bucket.
 */
export class LostFile extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'LostFile';
  }
}
