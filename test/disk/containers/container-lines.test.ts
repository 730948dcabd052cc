import { describe, expect, expectTypeOf, test } from 'vitest';
import type { PackedFormat, Recognition } from '../../../src/disk/containers/container-format.ts';
import { containers } from '../../../src/disk/containers/container-readers.ts';
import { openCso } from '../../../src/disk/containers/cso.ts';
import type { Draft } from '../../../src/disk/draft.ts';

type Line = PackedFormat & Recognition;

const unrecognised = {
  version: 1,
  packed: true,
  openFirstPart: null,
  access: 'sequential',
  open: openCso,
} as const;

describe('the table of container formats', () => {
  // The compiler checks these statements.
  test('requires a packed format to state how it is recognised', () => {
    expectTypeOf(unrecognised).not.toExtend<Line>();
    expectTypeOf({ ...unrecognised, magics: [] } as const).not.toExtend<Line>();
    expectTypeOf({ ...unrecognised, magics: ['CISO'] } as const).toExtend<Line>();
    expectTypeOf({ ...unrecognised, matchesHead: () => true }).toExtend<Line>();
  });

  test('requires a packed format to state whether a later part needs the first part', () => {
    const line = { ...unrecognised, magics: ['CISO'] } as const;
    const { openFirstPart: _, ...undecided } = line;
    expectTypeOf(line).toExtend<Line>();
    expectTypeOf(undecided).not.toExtend<Line>();
  });

  test('contains the container names that a reader may return', () => {
    const draft = { container: 'nkit' } satisfies Pick<Draft, 'container'>;
    expect(Object.keys(containers)).toContain(draft.container);
    // @ts-expect-error: no container has this name
    expect(Object.keys(containers)).not.toContain('nkitt' satisfies Draft['container']);
  });
});
