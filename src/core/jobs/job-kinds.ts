import type { JobKindData } from './job-kind-data.ts';

const nonEmpty = '^\\s*[^\\u0000\\s][^\\u0000]*$';

const system = {
  type: 'text',
  pattern: nonEmpty,
  description: 'only releases of this system',
} as const;

const importing = {
  startedBy: 'editor',
  isSchedulable: false,
  needsRoots: false,
  excludes: ['fetch-catalogue'],
  resumption: { from: 'step', by: 'any host' },
  options: {
    uploads: {
      type: 'ids',
      maxItems: 1_000,
      isRequired: true,
      description: 'ids of completed uploads to `dats`',
    },
    prune: {
      type: 'flag',
      isAdminOnly: true,
      description: 'remove releases that no source lists any more; admin',
    },
    system: {
      type: 'text',
      pattern: nonEmpty,
      description:
        'the system of the releases, instead of the one that the header of the DAT determines',
    },
    source: {
      type: 'text',
      pattern: nonEmpty,
      description: 'the name of the source of the DAT',
    },
    /** The files to import. On the command line, this option replaces `uploads`. */
    paths: { type: 'texts', isCommandLineOnly: true },
  },
  phases: ['read', 'write', 'import'],
  report: { dryRun: 'flag', files: 'list' },
} as const satisfies JobKindData;

const target = {
  type: 'text',
  pattern: nonEmpty,
  maxLength: 100,
  isRequired: true,
  description: 'the name of a target of the server',
} as const;

const building = {
  startedBy: 'editor',
  isSchedulable: false,
  needsRoots: false,
  excludes: ['build-undo'],
  resumption: { from: 'records', by: 'own host' },
  options: {
    set: {
      type: 'number',
      minimum: 1,
      isRequired: true,
      description: 'the id of a set that you see',
    },
    profile: {
      type: 'text',
      pattern: nonEmpty,
      maxLength: 100,
      isRequired: true,
      description: 'the id of a profile',
    },
    target,
    adopt: { type: 'flag', description: 'leave other files in the folder as they are' },
    unpack: {
      type: 'flag',
      description: 'take images out of archives that the device does not open',
    },
  },
  phases: ['plan', 'build'],
  report: {
    set: 'text',
    profile: 'text',
    target: 'text',
    bytes: 'number',
    freeBytes: 'number',
    lackingBytes: 'number',
    notInLibrary: 'number',
    add: 'shortened list',
    replace: 'shortened list',
    rename: 'shortened list',
    keep: 'shortened list',
    remove: 'shortened list',
    conflicts: 'shortened list',
    unwritten: 'shortened list',
    leftOut: 'shortened list',
  },
} as const satisfies JobKindData;

/**
 * All kinds of jobs, as plain data. The account API, the command line, the schedules, the work in
 * `src/jobs` and the page's types are derived from this table. If any of these lacks a kind, the
 * compiler reports an error. The API's document and the schedules list the kinds in the order of
 * this table.
 */
export const jobKinds = {
  scan: {
    startedBy: 'editor',
    isSchedulable: true,
    needsRoots: true,
    resumption: { from: 'records', by: 'own host' },
    options: {
      hash: { type: 'flag', isOn: true, description: 'also hash files; true by default' },
      full: { type: 'flag', description: 'examine unchanged files again' },
      forget: {
        type: 'flag',
        isAdminOnly: true,
        description: 'forget the files of roots that are missing or empty; admin',
      },
      verify: { type: 'flag', isCommandLineOnly: true },
      takeOver: { type: 'flag', isCommandLineOnly: true },
      /** Skips files that may still be growing. Set for scans that start because of new files. */
      automatic: { type: 'flag', isCommandLineOnly: true },
      /** The number of files to hash concurrently. */
      jobs: { type: 'number', isCommandLineOnly: true },
    },
    phases: ['identify', 'hash'],
    report: {
      files: 'number',
      recognised: 'numbers',
      inSets: 'number',
      unknown: 'number',
      tied: 'number',
      problems: 'list',
      looked: 'number',
      moved: 'number',
      gone: 'number',
      hashed: 'number',
      matchesLost: 'number',
      matchesChanged: 'number',
      unreadable: 'shortened list',
      damaged: 'shortened list',
      postponed: 'shortened list',
    },
  },
  import: importing,
  'import-preview': { ...importing, excludes: [] },
  'fetch-catalogue': {
    startedBy: 'editor',
    isSchedulable: false,
    needsRoots: false,
    excludes: ['import'],
    resumption: { from: 'step', by: 'own host' },
    options: {},
    phases: ['download', 'import'],
    report: {
      size: 'number',
      files: 'number',
      new: 'number',
      changed: 'number',
      filled: 'number',
      refused: 'shortened list',
    },
  },
  'covers-fetch': {
    startedBy: 'editor',
    isSchedulable: true,
    needsRoots: false,
    resumption: { from: 'step', by: 'any host' },
    options: {
      system,
      missing: { type: 'flag', description: 'keep covers that were taken from a disc' },
      removed: { type: 'flag', description: 'also fetch covers that a user removed' },
      release_ids: { type: 'ids', maxItems: 10_000, description: 'only for these releases' },
      owned: { type: 'flag', description: 'only for releases with a file in the library' },
    },
    phases: ['search'],
    report: {
      releases: 'number',
      stored: 'number',
      missing: 'number',
      remembered: 'number',
      removed: 'number',
      failed: 'number',
      lastFailure: 'text',
      kept: 'number',
    },
  },
  'covers-extract': {
    startedBy: 'editor',
    isSchedulable: false,
    needsRoots: true,
    resumption: { from: 'start', by: 'own host' },
    options: {},
    phases: ['extract'],
    report: {
      images: 'number',
      stored: 'number',
      without: 'number',
      removed: 'number',
      unreadable: 'shortened list',
    },
  },
  'covers-bundle': {
    startedBy: 'editor',
    isSchedulable: false,
    needsRoots: false,
    resumption: { from: 'start', by: 'any host' },
    options: {
      name: {
        type: 'text',
        pattern: '^[A-Za-z0-9_-][A-Za-z0-9_.-]*$',
        maxLength: 250,
        isRequired: true,
        description: 'the name of the zip, with or without its extension',
      },
      system,
    },
    phases: ['bundle'],
    report: { file: 'text', covers: 'number', size: 'number', sha256: 'text' },
  },
  verify: {
    startedBy: 'editor',
    isSchedulable: false,
    needsRoots: false,
    resumption: { from: 'records', by: 'host of the library' },
    options: {
      store: {
        type: 'flag',
        description:
          'verify the archives; if none of `store`, `covers` and `library` is set, verifies everything, including the database',
      },
      covers: { type: 'flag', description: 'verify the covers' },
      library: { type: 'flag', description: 'verify the library' },
      rate: {
        type: 'number',
        minimum: 1,
        description: 'maximum number of bytes to read per second',
      },
      parallel: { type: 'number', isCommandLineOnly: true },
    },
    phases: ['verify'],
    report: { startedAt: 'text', files: 'number', bytes: 'number', findings: 'shortened list' },
  },
  'build-preview': { ...building, excludes: [], resumption: { from: 'start', by: 'own host' } },
  build: building,
  'build-undo': {
    startedBy: 'editor',
    isSchedulable: false,
    needsRoots: false,
    excludes: ['build'],
    resumption: { from: 'records', by: 'own host' },
    options: { target },
    phases: ['undo'],
    report: {
      target: 'text',
      deleted: 'shortened list',
      stripped: 'shortened list',
      left: 'shortened list',
      undeleted: 'shortened list',
    },
  },
  backup: {
    startedBy: 'server',
    isSchedulable: false,
    needsRoots: false,
    resumption: { from: 'start', by: 'own host' },
    options: {},
    phases: ['rows', 'backup'],
    report: { file: 'text', bytes: 'number', covers: 'number', damaged: 'shortened list' },
  },
  adopt: {
    startedBy: 'command line',
    isSchedulable: false,
    needsRoots: false,
    resumption: null,
    options: {
      replace: { type: 'flag', isCommandLineOnly: true },
      recover: { type: 'flag', isCommandLineOnly: true },
    },
    phases: ['adopt'],
    report: { place: 'text', files: 'number', bytes: 'number', refused: 'shortened list' },
  },
} as const satisfies Readonly<Record<string, JobKindData>>;
