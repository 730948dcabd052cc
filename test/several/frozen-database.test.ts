/** @module-tag full */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { game, xml } from '../imports/support/dat-text.ts';
import { fileForm, logIn, sendRequest } from '../support/http/client.ts';
import { installation, makeServer } from '../support/postgres/own-server.ts';
import { useSandbox } from '../support/process.ts';
import { s3SkipReason, startS3 } from '../support/s3/radosgw.ts';
import { settingsOf } from '../support/s3/settings.ts';

const skipReason = s3SkipReason ?? (installation ? '' : 'skipped: there is no PostgreSQL');

/** Rounds of the test. Each round stops the database server once. */
const rounds = [1, 2, 3];

describe('a server whose database server is stopped', () => {
  test.skipIf(skipReason)(
    `sends 503 for uploads and covers, logs few lines, and loses no stored file ${skipReason}`,
    async () => {
      const s3 = await startS3();
      onTestFinished(() => s3.stop());
      const server = await makeServer();
      onTestFinished(async () => {
        server.signal('SIGCONT');
        await server.remove();
      });
      const sandbox = await useSandbox(undefined, server.databaseUrl);
      const settings = settingsOf(sandbox, await s3.newBucket());
      const dat = join(sandbox.folder, 'a.dat');
      await writeFile(dat, xml([game('One', 'one')], 'Test - Console', '1'));
      expect(await sandbox.run(['import', dat], { env: settings })).toMatchObject({ code: 0 });
      const instance = await sandbox.serve(['--access-log', 'off'], settings);
      const token = await logIn(instance.url);
      const { json } = await sendRequest(`${instance.url}/api/releases`, { token });
      const cover = `/api/cover/${json.items[0].id}`;
      /** Contents that a path may have: the last acknowledged content, and those sent since. */
      const contents = new Map<string, Set<string>>();
      let isOver = false;
      const seen = new Set<number>();
      let refused = 0;
      let statuses: number[] = [];
      const write = async (path: string, readPath: string, name: string) => {
        for (let turn = 0; !isOver; turn += 1) {
          const text = `${name} ${turn}`;
          const form = fileForm(name, text);
          const { status, headers } = await sendRequest(`${instance.url}${path}`, {
            token,
            ...form,
          });
          statuses.push(status);
          seen.add(status);
          const known = contents.get(readPath) ?? new Set();
          contents.set(readPath, status === 200 ? new Set([text]) : known.add(text));
          if (status === 503) {
            refused += 1;
            expect(headers['retry-after']).toBeDefined();
          }
          await setTimeout(20);
        }
      };
      const writing = [
        write(cover, cover, 'cover'),
        ...['a.zip', 'b.zip', 'c.zip'].map((name) =>
          write('/api/store/upload', `/api/store/download/games/${name}`, name),
        ),
      ];
      const countOf = (wanted: number) => statuses.filter((status) => status === wanted).length;
      for (const _ of rounds) {
        await expect.poll(() => countOf(200)).toBeGreaterThanOrEqual(writing.length);
        server.signal('SIGSTOP');
        // Keep the database server stopped until the writers have received 503, so that none of
        // them merely waits until it resumes.
        await expect.poll(() => countOf(503)).toBeGreaterThanOrEqual(writing.length);
        server.signal('SIGCONT');
        statuses = [];
      }
      await expect.poll(() => countOf(200)).toBeGreaterThanOrEqual(writing.length);
      isOver = true;
      await Promise.all(writing);
      expect(seen).toEqual(new Set([200, 503]));
      for (const [path, texts] of contents) {
        const { text } = await sendRequest(`${instance.url}${path}`, { token });
        expect(texts).toContain(text);
      }
      const linesWith = (text: string) =>
        instance.stderr.split('\n').filter((line) => line.includes(text));
      const begins = linesWith('the database is unavailable: ');
      expect(begins.length).toBeGreaterThan(0);
      expect(begins.length).toBeLessThanOrEqual(rounds.length);
      // an outage is over when there was no failure for 15 s
      const ends = () => linesWith('"failures":').filter((line) => line.includes('"level":30'));
      const count = begins.length + linesWith('some work takes too long: ').length;
      await expect.poll(() => ends().length).toBe(count);
      const failures = ends().reduce((sum, line) => sum + JSON.parse(line).failures, 0);
      expect(failures).toBeGreaterThanOrEqual(refused);
      expect((await instance.stop()).code).toBe(0);
      for (const text of ['"stack"', '"msg":"busy"', '"level":50'])
        expect(linesWith(text)).toEqual([]);
    },
  );
});
