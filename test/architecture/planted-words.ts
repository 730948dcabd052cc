const inCode = (line: string) => ({ file: 'src/sql/releases/release-records.ts', line });
const inDocument = (line: string) => ({ file: 'docs/importing.md', line });
const inProxy = (line: string) => ({ file: 'deploy/nginx.conf', line });

/** Comments that are hard to understand, which the check must report. */
export const hardComments = [
  ...[
    '/** What is said about things that nobody waits for. */',
    '/** Of a large buffer: with larger ones a reader is hardly faster. */',
    '// So many at most wait.',
    ' const size = 5; // what nobody knows',
    '<!-- Whoever signs in sees this. -->',
    '/** Writes the file. Of a link, it writes the target. */',
    '/** Recovers a change that was broken off. */',
    '/** Where archives and covers are stored. */',
    '/** That a file was read counts once. */',
    '/** Which hosts may run it. */',
    '/** By name: the number of files. */',
    '/**\n * Writes the file.\n * Where there is a link, it writes the target.\n */',
    '/**\n * Returns one of these:\n * - What the disc states.\n */',
    '// the server answers 404',
    '// the server answers it with 404',
    '// strangers see nothing',
    '// somebody signs in',
    '// everybody sees this',
    '// the asker is an editor',
    '// the client is told the reason',
    '// a file laid there is listed',
    '// the index lies in another file',
    '// what is cached may be untrue',
    '// a scan makes hashes',
    '// another process settled the change',
    '// the bucket has to be there',
    `// ${'long '.repeat(20)}`,
  ].map(inCode),
  ...['# Where Caddy runs', '  # Catalog runs.\n  # What it writes is stored here.'].map(inProxy),
  { file: 'scripts/build.mjs', line: '// Whoever builds needs Node.' },
  { file: '.dependency-cruiser.cjs', line: '// Of the adapters, none imports another.' },
];
export const plainComments = [
  ...[
    '/** Logs failures of background work. */',
    '/** Returns what the reader sent. */',
    '// Throws `not found` if there is no file with this id.',
    "const title = 'What is new';",
    '// That folder is removed later.',
    '// That is the case for each file. By default, it is empty.',
    '/** By default: none. */',
    '/**\n * Returns the folder\n * Where of the file.\n */',
    '// Is it true? What does the disc state?',
    '// The level `everybody` needs no token. The text is "strangers".',
    '// 200 responses; the promise settles when the file is closed',
    `// ${'https://example.org/'.repeat(6)}`,
  ].map(inCode),
  ...['return 308 https://$host; # What', 'location = /Where {', '#!/bin/sh'].map(inProxy),
];

/** Lines of documents that are hard to understand, which the check must report. */
export const hardLines = [
  'What is left is removed.',
  'A scan reads the files.\nOf two copies, it reads one.',
  'A scan reads the files. Where there are two copies, it reads one.',
  '- Whoever signs in sees this.',
  '1. That nobody signs in is an error.',
  '| File | Meaning |\n|---|---|\n| `a` | what nobody knows |',
  '| File | Meaning |\n|---|---|\n| `a` | The file. Of a link, the target |',
  '> The server answers 421.',
  'The bucket has to be there.',
  'long '.repeat(21),
].map(inDocument);
export const plainLines = [
  '# What is new',
  '    What the server prints',
  '```\nWhat the server prints\n```',
  '| Write | Not |\n|---|---|\n| store | lies, laid by hand |',
  `| ${'long '.repeat(20)} |`,
  'The text is `Of several files` or "Whoever".',
  'Which files does a scan read?',
  'A scan reads the folder\nOf in the library.',
  `See https://example.org/${'long/'.repeat(20)}.`,
].map(inDocument);
