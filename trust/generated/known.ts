/** Values that refer to existing things. The key is the name of the parameter, header or field. */
export type Known = Readonly<Record<string, readonly string[]>>;

/** Returns the values for a name. For an unknown name, returns the values of `any`. */
export function usualValues(known: Known, name: string): readonly string[] {
  return (Object.hasOwn(known, name) ? known[name] : known.any) ?? [''];
}

/** Values of JSON fields that are not strings, by the name of the field. */
export const knownValues: Readonly<Record<string, readonly unknown[]>> = {
  rule: [
    { all: [] },
    { field: 'platform', is: 'a' },
    { any: [{ not: { field: 'library', is: 'have' } }, { field: 'search', contains: 'a 1' }] },
  ],
  prefer: [null],
  shared: [false, true],
};

/**
 * Values that refer to existing things. The ids 1 to 4 are left out, because they belong to the
 * accounts that send the requests. These accounts must not change.
 */
export const known: Known = {
  any: ['a', 'games'],
  user_id: ['5', '6', '7', '999999'],
  username: ['made', 'made-too', 'other'],
  password: ['a password'],
  role: ['user', 'editor', 'admin'],
  ...idsOf('token_id', 'id', 'release_id', 'import_id', 'platform_id', 'upload_id', 'file_id'),
  ...idsOf('set_id', 'set'),
  job_id: ['999999'],
  kind: ['none'],
  system: ['games', 'videos', 'any'],
  name: ['a.zip', 'b.iso', 'c (1).zip', 'none.zip', 'b'],
  field: ['name', 'title', 'region'],
  limit: ['1', '50', '500', '-1'],
  offset: ['0', '7', '1000000'],
  width: ['160', '320', '640'],
  include: ['total', 'sha256', 'platform,meta', 'current'],
  range: ['bytes=0-0', 'bytes=-1', 'bytes=5-', 'bytes=9-1', 'bytes=0-0,2-3', 'bytes=0-99999999999'],
  'if-none-match': ['*', '"x"', 'W/"x", "y"'],
  'if-match': ['*', '"x"'],
  'tus-resumable': ['1.0.0'],
  'upload-length': ['0', '1', '60000', '9007199254740993'],
  'upload-offset': ['0', '1'],
  'upload-metadata': ['filename YS56aXA=,system Z2FtZXM=', 'filename YS56aXA='],
  'upload-checksum': ['sha256 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=', 'sha1 x'],
};

function idsOf(...names: string[]): Record<string, string[]> {
  return Object.fromEntries(names.map((name) => [name, ['1', '2', '3', '999999']]));
}

/** A PNG of one pixel. */
export const png = Uint8Array.from(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
);
