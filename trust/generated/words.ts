import fc from 'fast-check';

/** A text of about 60 kB, such as a user might paste. */
const longText = 'Zoë %_ '.repeat(7_500);

/** Texts that are not valid numbers, and numbers at the limits of precision. */
export const oddNumbers = [
  ...['', ' ', '-1', '-0', '0', '+', '501', '1e30', '-1e400', 'NaN', 'Infinity', '0x10', '1.5'],
  ...[
    '9007199254740993',
    '-9007199254740993',
    '9'.repeat(400),
    '\u0661\u0662\u0663',
    '１２',
    'null',
  ],
];

/** Texts that attack paths, prototypes or queries, and texts that break decoders. */
export const oddTexts = [
  ...['..', '.', '../..', '../canary.txt', '..\\canary.txt', '../../canary.txt', '/etc/passwd'],
  ...['../catalog.db', 'catalog.db', 'a/../b', '....//canary.txt', '__proto__', 'constructor'],
  ...['toString', 'hasOwnProperty', '[object Object]', '\0', 'a\0b', '\r\nX-Made-Up: 1', '\ufeff'],
  ...[
    '\u202e',
    'e\u0301',
    '\ud800',
    '\udc00x',
    '\u{1F600}',
    "' OR 1=1 --",
    '"',
    "'",
    '\\',
    '%',
    '_',
  ],
  ...['%%%%', 'NEAR(', '" OR "', '*', 'total,platform', ',,,', 'x'.repeat(300), longText, ''],
];

/** Path segments that are sent without encoding. */
export const oddPathParts = [
  ...['..', '.', '%2e%2e', '%2e', '..%2fcanary.txt', '%2e%2e%2fcanary.txt', '..%5ccanary.txt'],
  ...['%2e%2e%2f%2e%2e%2fcanary.txt', '..%252fcanary.txt', '%c0%ae%c0%ae%2fcanary.txt', '%00'],
  ...['canary.txt%00.zip', '%zz', '%', '%e0%a4', ';', 'a;b', '%0d%0aX-Made-Up:1', '%ff', '//', ''],
  ...['%D9%A1', '__proto__', 'constructor', '..%2f..%2f..%2f..%2fetc%2fpasswd', '~', '*'],
];

/** Bodies that are not JSON objects, and JSON objects that match no schema. */
export const oddBodies: readonly (string | Buffer)[] = [
  ...['', '{', '[]', 'null', '"x"', '1e400', '{"a":1,"a":2}', '{"__proto__":{"role":"admin"}}'],
  ...['{"constructor":{"prototype":{"role":"admin"}}}', '\ufeff{}', '{"a":"\\ud800"}', '{}{}'],
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  ...[Buffer.from([0xff, 0xfe, 0x7b]), Buffer.from('{"username":"\xff"}', 'latin1')],
  Buffer.alloc(70_000, 'x'),
];

export const oddTypes = [
  ...[
    'application/json; charset=utf-16',
    'text/plain',
    'application/json\t',
    'multipart/form-data',
  ],
  ...[
    'multipart/form-data; boundary=',
    `multipart/form-data; boundary=${'b'.repeat(252)}`,
    '/',
    '',
  ],
  ...['application/x-www-form-urlencoded', 'application/offset+octet-stream', 'Application/JSON'],
];

/** Any JSON values, including values that no schema allows. */
export const oddValues = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, 1, -1, 1e308, 2 ** 53 + 2, [], {}, 'false', '0'),
  fc.constantFrom<unknown>(...oddTexts),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary' }),
);
