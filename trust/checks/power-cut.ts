import { mkdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { generateDats } from '../../measure/dats.ts';
import { Ledger } from '../../measure/ledger.ts';
import { mount, mountSkipReason, runTool, unmount } from '../../measure/mounts.ts';
import type { Server } from '../../measure/program.ts';
import { openUserClient } from '../../measure/user-client.ts';
import type { Check } from '../check.ts';
import { compare, totalOf, writeAll } from '../every-write.ts';
import type { Trial } from '../trial.ts';

const cuts = { sound: 8, control: 2 };
const loadMs = 2_000;
const diskBytes = 512 * 1024 * 1024;
const minWrites = 300;
/** Numbers of the rounds with an import and with a scan. */
const importAt = 1;
const scanAt = 2;

/** Checks that a power cut loses nothing that the server has acknowledged. */
export const powerCut: Check = {
  name: 'power-cut',
  control: {
    what: 'no write waits for the disk (no fsync)',
    changes: [
      {
        file: 'src/sql/sqlite/threads/connection.ts',
        from: "'synchronous = full'",
        to: "'synchronous = off'",
      },
      { file: 'src/files/local/stage-file.ts', from: 'await handle.sync();', to: '' },
      { file: 'src/files/local/durable.ts', from: 'await handle.sync();', to: '' },
    ],
  },
  skipReason: async () =>
    mountSkipReason({ xfs_io: 'xfsprogs', 'mkfs.ext4': 'e2fsprogs' }, '/dev/loop-control'),
  async measure(trial) {
    const disk = await makeDisk(trial.folder);
    const data = join(disk.folder, 'data');
    const ledger = new Ledger();
    const lost: string[] = [];
    const wrong: string[] = [];
    let server: Server | null = null;
    try {
      await trial.run(['import', '--data', data, ...(await dats(trial, 0))]);
      server = await trial.startServer(data);
      for (let cut = 0; cut < (trial.isControl ? cuts.control : cuts.sound); cut += 1) {
        const writing = await writeAll(server.url, ledger, cut);
        await Promise.all([setTimeout(loadMs), runCommands(trial, { data, server, ledger, cut })]);
        await disk.cutPower(server, writing.end);
        try {
          server = await trial.startServer(data);
          const found = await compare(server.url, data, ledger);
          lost.push(...found.lost);
          wrong.push(...found.wrong);
        } catch (error) {
          process.stderr.write(`trust: after the cut: ${error}\n`);
          lost.push(...ledger.things); // an unreadable catalogue counts as lost
          break;
        }
      }
    } finally {
      await server?.stop();
      await unmount(disk.folder);
    }
    const { acknowledged } = ledger;
    return [
      { what: 'acknowledged and lost', value: lost.length, unit: `of ${acknowledged}`, max: 0 },
      { what: 'archives with another SHA-256', value: wrong.length, unit: '', max: 0 },
      {
        what: `acknowledged writes below the minimum of ${minWrites}`,
        value: trial.isControl ? 0 : Math.max(0, minWrites - acknowledged),
        unit: '',
        max: 0,
      },
    ];
  },
};

/** Creates and mounts an ext4 file system in an image file. */
async function makeDisk(folder: string) {
  let image = join(folder, 'disk-0.img');
  const mountPoint = join(folder, 'disk');
  await writeFile(image, '');
  await truncate(image, diskBytes);
  runTool('mkfs.ext4', '-q', '-F', image);
  mount(mountPoint, '-o', 'loop', image);
  return {
    folder: mountPoint,
    /**
     * Freezes the server, shuts the disk down and kills the server. Then remounts the disk with
     * only the data that had reached it.
     */
    async cutPower({ pid, stop }: Server, clientsEnd: () => Promise<void>): Promise<void> {
      process.kill(pid, 'SIGSTOP'); // no more responses from now on; earlier responses count
      const clients = clientsEnd();
      await setTimeout(50);
      runTool('xfs_io', '-x', '-c', 'shutdown', mountPoint);
      process.kill(pid, 'SIGKILL');
      await Promise.all([clients, stop()]);
      await unmount(mountPoint);
      // Mounts a copy, because another mount namespace may still use the image that was shut down.
      const last = image;
      image = `${last}~`;
      runTool('cp', '--sparse=always', last, image);
      await rm(last);
      mount(mountPoint, '-o', 'loop', image);
    },
  };
}

const dats = (trial: Trial, platform: number) =>
  generateDats(join(trial.folder, `dats-${platform}`), [500], platform);

/**
 * Runs an import in one round and a scan in another. Records the resulting totals in the ledger.
 */
async function runCommands(
  trial: Trial,
  round: { data: string; server: Server; ledger: Ledger; cut: number },
): Promise<void> {
  const { data, server, ledger, cut } = round;
  const recordTotal = async (path: string) =>
    ledger.recordAcknowledged(
      `total ${path}`,
      await totalOf(await openUserClient(server.url), path),
    );
  if (cut === importAt) {
    await trial.run(['import', '--data', data, ...(await dats(trial, 1))]);
    await recordTotal('/api/releases?include=total&limit=1');
  }
  if (cut === scanAt) {
    const root = join(trial.folder, 'games');
    await mkdir(root);
    for (let i = 0; i < 40; i += 1) await writeFile(join(root, `${i}.iso`), `game ${i}`);
    await trial.run(['scan', '--data', data, '--games-root', root]);
    await recordTotal('/api/library?limit=1');
  }
}
