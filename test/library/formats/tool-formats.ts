import { dirname } from 'node:path';
import { gameCubeDisc } from '../../support/images/nintendo-discs.ts';
import { runTool } from '../../support/tools.ts';
import { gameCube, printedGameCube, psp, ulus } from '../numbered-discs.ts';
import { type Format, onPsp, own, packedBy, sony } from './format.ts';

export const discsByMaxcso = (['cso1', 'cso2', 'zso', 'dax'] as const).map((form): Format => {
  const make = (n: number) =>
    packedBy(
      { image: psp(n) },
      (to) => {
        runTool('maxcso', [`--format=${form}`, 'image', '-o', to], dirname(to));
      },
      `.${form.slice(0, 3)}`,
    );
  const format = sony(`${form.toUpperCase()} by maxcso`, ulus, make, onPsp);
  return { ...format, tools: ['xorriso', 'maxcso'] };
});

/**
 * A WBFS or CISO does not contain the padding. The content that DATs list therefore cannot be
 * calculated from the file.
 */
export const nintendoByWit = (['wdf1', 'wdf2', 'ciso', 'wbfs'] as const).map((form): Format => {
  const isWhole = form.startsWith('wdf');
  const make = (n: number) => {
    const disc = gameCubeDisc(gameCube(n).toString('latin1', 0, 6), { size: 0x120000 });
    const options = isWhole ? ['--psel', 'raw'] : [];
    const made = packedBy(
      { image: disc },
      (to) => {
        runTool('wit', ['copy', ...options, `--${form}`, 'image', '-d', to], dirname(to));
      },
      `.${form}`,
    );
    return isWhole ? made : { ...made, image: null, size: null };
  };
  const format = own(form.toUpperCase(), 'Nintendo - GameCube', printedGameCube, make);
  return { ...format, tools: ['wit'], ...(isWhole ? {} : { neverHashed: 2 }) };
});

/** A WBFS that is split into two files. The second file continues at the end of the first one. */
export const splitWbfs: Format = {
  ...own('WBFS, split', 'Nintendo - GameCube', printedGameCube, (n) => {
    const disc = gameCubeDisc(gameCube(n).toString('latin1', 0, 6), { size: 0x120000 });
    const { files } = packedBy(
      { image: disc },
      (to) => runTool('wit', ['copy', '--wbfs', 'image', '-d', to], dirname(to)),
      '.wbfs',
    );
    const whole = files['.wbfs'] as Buffer;
    const parts = { '.wbfs': whole.subarray(0, -4096), '.wbf1': whole.subarray(-4096) };
    return { files: parts, image: null, size: null };
  }),
  tools: ['wit'],
  neverHashed: 4,
};

export const nintendoByDolphin = (['rvz', 'wia', 'gcz'] as const).map((form): Format => {
  const packing = { rvz: ['-c', 'zstd', '-l', '5'], wia: ['-c', 'lzma', '-l', '5'], gcz: [] }[form];
  const size = ['-b', form === 'gcz' ? '32768' : form === 'wia' ? '2097152' : '131072'];
  const make = (n: number) =>
    packedBy(
      { image: gameCubeDisc(gameCube(n).toString('latin1', 0, 6), { size: 0x120000 }) },
      (to) => {
        const options = ['-i', 'image', '-o', to, '-f', form, ...size, ...packing];
        runTool('dolphin-tool', ['convert', ...options], dirname(to));
      },
      `.${form}`,
    );
  const label = `${form.toUpperCase()} by Dolphin`;
  return { ...own(label, 'Nintendo - GameCube', printedGameCube, make), tools: ['dolphin-tool'] };
});
