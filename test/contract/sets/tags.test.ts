import { expect, test } from 'vitest';
import { kindTags } from '../../../src/core/shared/names/name-labels.ts';
import { parseReleaseName } from '../../../src/core/shared/names/release-name.ts';
import { describeEngines } from '../fixtures/engines.ts';
import { setOf, useSetReleases } from './set-catalogue.ts';

const taggedNames = [
  'Amber (USA) (Demo)',
  'Amber (Europe) (Demo 2) (Unl)',
  'Amber (Japan) (Taikenban)',
  'Amber (USA) (Tech Demo)',
  'Amber (USA) (Demo Disc)',
  'Amber Demo (USA)',
  'Amber Demolition (USA) (Demolition Pack)',
  'Basalt (USA) (Beta) (1998-07-01)',
  'Basalt (USA) (Beta 1.2)',
  'Basalt (USA) (Possible Proto)',
  'Basalt (USA) (Prototype 3)',
  'Basalt (USA) [b]',
  'Basalt (USA) [b1]',
  'Basalt (USA) [BIOS]',
  '[BIOS] Basalt (USA)',
  'Basalt (USA) (B)',
  'Cobalt (USA) [h1 Translated]',
  'Cobalt (USA) [T+Ger1.00_Someone]',
  'Cobalt (USA) [t1]',
  'Cobalt (USA) [a2][o1]',
  'Cobalt (USA) (Alt 1)',
  'Cobalt (USA) (Unl)',
  'Cobalt (USA) (Unlikely)',
  'Action Replay Max (USA)',
  'Cobalt (USA) (Aftermarket) (Homebrew)',
  'Cobalt (USA) (Promo)',
  'Cobalt (USA) (Kiosk)',
  'Cobalt (USA) (Pirate)',
  'Cobalt (USA) (Virtual Console)',
  'Cobalt (USA) (Rev 1) (Virtual Console, Switch)',
  'Cobalt (USA) (Program) (Debug)',
  'Cobalt (USA) (Hibaihin) (Sample)',
  'Cobalt (USA) (Édition Spéciale)',
  'Plain',
];

describeEngines('$name: releases with a tag', ({ open }) => {
  test('are exactly those whose names state the tag', async () => {
    const { names } = await useSetReleases(
      open,
      taggedNames.map((name) => ({ name })),
    );
    const found = async (tag: string) =>
      (await names({ set: setOf({ field: 'tag', is: tag }) })).sort();
    for (const kind of kindTags) {
      const stated = taggedNames.filter((name) => parseReleaseName(name).kinds.includes(kind));
      expect([kind, await found(kind.toLowerCase())]).toEqual([kind, stated.sort()]);
      expect(stated).not.toEqual([]);
    }
    expect(await found(' virtual console')).toEqual(['Cobalt (USA) (Virtual Console)']);
    expect(await found('Rev 1')).toEqual(['Cobalt (USA) (Rev 1) (Virtual Console, Switch)']);
    expect(await found('ÉDITION SPéCIALE')).toEqual(['Cobalt (USA) (Édition Spéciale)']);
    expect(await found('%')).toEqual([]);
    const many = Array.from({ length: 200 }, () => ({
      not: { field: 'tag', in: ['Beta', 'BETA', 'Proto', 'Demo', 'x'] } as const,
    }));
    expect(await names({ set: setOf({ all: many }) })).toContain('Plain');
    const several = await names({ set: setOf({ field: 'tag', in: ['Beta', 'Debug'] }) });
    expect(several).toHaveLength(3);
  });
});
