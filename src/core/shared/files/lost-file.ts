/**
 * The bytes of a recorded file are gone, although the place that holds them works. An example is an
 * object that another program deleted from the bucket.
 */
export class LostFile extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'LostFile';
  }
}
