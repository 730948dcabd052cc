import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { romOf } from '../library/library-fixture.ts';
import { archiveKinds } from '../support/images/archives.ts';
import { toolsSkipReason } from '../support/tools.ts';
import { countsOf, filesIn, useBuildLibrary } from './build-library.ts';
import { noise, packedDisc, psx } from './packed-disc.ts';

const quick = ['7z, solid', 'RAR 5', 'zip', 'tar.gz'];

describe('a build that unpacks', () => {
  for (const kind of archiveKinds.filter(({ isSingle }) => !isSingle)) {
    const skipReason = toolsSkipReason(...kind.tools);
    const tags = quick.includes(kind.label) ? [] : (['full'] as const);
    const title = `takes the tracks of a disc out of an archive: ${kind.label} ${skipReason ?? ''}`;
    test.skipIf(skipReason !== null)(title, { tags: [...tags] }, async () => {
      const library = await useBuildLibrary({});
      const to = join(library.place, 'tree');
      const disc = packedDisc('Game (USA)');
      const archive = kind.make(disc.files, library.folder);
      await library.write(`x/some.${kind.container}`, archive);
      await library.take([disc.row], psx, 'discs');
      await library.scan({ hash: true });

      const left = await library.build(to);
      expect(left.leftOut).toMatchObject([{ release: 'Game (USA)', isUnpackable: true }]);
      expect(await filesIn(to)).toEqual({});

      const preview = await library.preview(to, { unpacks: true });
      expect(countsOf(preview)).toEqual({ add: 5 });
      const sizes = Object.values(disc.files).reduce((sum, { length }) => sum + length, 0);
      const list = preview.steps.find(({ path }) => path.endsWith('.xml'))?.size ?? 0;
      expect(preview.bytes).toBe(sizes + list);
      expect(await filesIn(to)).toEqual({});
      const built = await library.build(to, { unpacks: true, mode: 'hardlink', isVerified: true });
      expect([built.leftOut, built.problems, countsOf(built)]).toEqual([[], [], { add: 5 }]);
      const tree = Object.fromEntries(
        Object.entries(disc.tree).map(([name, content]) => [`psx/${name}`, content]),
      );
      expect(await filesIn(to)).toEqual({ ...tree, 'psx/gamelist.xml': expect.any(String) });

      const again = await library.build(to, { unpacks: true, isVerified: true });
      expect([again.problems, countsOf(again)]).toEqual([[], { keep: 5 }]);
      expect(countsOf(await library.build(to))).toEqual({ remove: 5 });
      expect(await filesIn(to)).toEqual({});
    });
  }

  for (const kind of archiveKinds.filter(({ isSingle }) => isSingle)) {
    const skipReason = toolsSkipReason(...kind.tools);
    const title = `takes the image out of a packed file: ${kind.label} ${skipReason ?? ''}`;
    test.skipIf(skipReason !== null)(title, async () => {
      const library = await useBuildLibrary({});
      const to = join(library.place, 'tree');
      const image = noise(kind.label, 300_000);
      await library.write(
        `some.iso.${kind.container}`,
        kind.make({ 'a.iso': image }, library.folder),
      );
      const row = { name: 'Game (USA)', roms: [romOf(image, 'Game (USA).iso')] };
      await library.take([row], 'Sony - PlayStation Portable', 'discs');
      await library.scan({ hash: true });
      const built = await library.build(to, { unpacks: true });
      expect([built.leftOut, built.problems]).toEqual([[], []]);
      expect((await filesIn(to))['psp/Game (USA).iso'] === image.toString()).toBe(true);
      expect(countsOf(await library.build(to, { unpacks: true }))).toEqual({ keep: 2 });
    });
  }
});
