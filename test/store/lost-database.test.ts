/** @module-tag full */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock as clock } from '../../src/core/shared/clock.ts';
import type { StagedFile } from '../../src/core/shared/files/file-area.ts';
import { FileChanges } from '../../src/core/shared/files/file-changes.ts';
import { withClient } from '../../src/core/shared/requests/client-context.ts';
import { localArea } from '../../src/files/local/local-area.ts';
import { ownerMark } from '../../src/files/process-mark.ts';
import { openCurrent } from '../../src/sql/postgres/open-current.ts';
import { archiveReservations } from '../../src/sql/store/store-records.ts';
import { chunks } from '../covers/covers-fixture.ts';
import { installations } from '../support/postgres/installations.ts';
import { useProxiedClone } from '../support/postgres/proxied-clone.ts';

const actor = { kind: 'system' } as const;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

for (const { version, skipReason } of installations) {
  if (skipReason !== null) test.skip(`PostgreSQL ${version} (${skipReason})`);
}

describe.each(installations.filter(({ skipReason }) => skipReason === null))(
  'PostgreSQL $version: a process that loses the database in a folder that another one uses',
  (tested) => {
    async function usePair() {
      const { databaseUrl, proxiedUrl, proxy } = await useProxiedClone(tested);
      const data = await mkdtemp(join(tmpdir(), 'catalog-lost-database-'));
      onTestFinished(() => rm(data, { recursive: true }));
      const [folder, tmp] = [join(data, 'games'), join(data, 'tmp')];
      const area = localArea({ folder, tmp });
      let ms = 0;
      /** Opens a process, which considers the other one dead. */
      const open = async (url: string, onRecovered = () => {}) => {
        const engine = await openCurrent(url);
        onTestFinished(() => engine.close());
        const records = archiveReservations({ engine, clock });
        const changes = new FileChanges({
          ...{ records, clock, onRecovered, areaOf: () => area, owner: ownerMark() },
          ownerState: async () => 'ended',
          elapsed: () => ms,
          onFailure() {},
        });
        onTestFinished(() => changes.close());
        const save = async (text: string, onPublished = async () => {}) => {
          const file = { name: 'a.zip', size: text.length, sha256: sha256(text) };
          const staged = await area.stage(chunks(Buffer.from(text)));
          const outside = AsyncLocalStorage.snapshot();
          const publish: StagedFile['publish'] = async (name) => {
            const stored = await staged.publish(name);
            await outside(onPublished);
            return stored;
          };
          const change = { target: 'store/games/a.zip', area: 'games', file, gone: [] } as const;
          return changes.publish(change, { ...staged, publish }, actor);
        };
        return { engine, changes, save };
      };
      const settled = Promise.withResolvers<void>();
      const [one, other] = [await open(proxiedUrl), await open(databaseUrl, settled.resolve)];
      /** Cuts the first process off, until the other one has recovered its change. */
      const cutOff = async () => {
        await proxy.close();
        ms = 30_000;
        other.changes.startSweeping();
        await settled.promise;
      };
      /** Returns the text of the file, the checksum in its row, and the leftovers. */
      const seen = async () => ({
        text: await readFile(join(folder, 'a.zip'), 'utf8'),
        row: (await other.engine.read.selectFrom('stored_file').select('sha256').execute())[0]
          ?.sha256,
        left: await readdir(tmp),
      });
      return { one, other, cutOff, seen };
    }

    test.each([
      ['the file that the other process recovered', 'new'],
      ['a newer file', 'newer'],
    ])('does not replace or remove %s', async (_, text) => {
      const { one, other, cutOff, seen } = await usePair();
      await one.save('old');
      const client = { network: '192.0.2.1', signal: new AbortController().signal };
      const saved = withClient(client, () =>
        one.save('new', async () => {
          await cutOff();
          if (text === 'newer') await other.save(text);
        }),
      );
      await expect(saved).rejects.toMatchObject({ kind: 'busy' });
      await one.changes.close();
      expect(await seen()).toEqual({ text, row: sha256(text), left: [] });
    });
  },
);
