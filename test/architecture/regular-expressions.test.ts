import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, onTestFinished, test } from 'vitest';
import { expressionsBelow, type SourceExpression } from './source-expressions.ts';

describe('the check of regular expressions', () => {
  test('finds only linear-time regular expressions in the source', async () => {
    const expressions = expressionsBelow(join(import.meta.dirname, '..', '..'), [
      'src',
      'page/src',
    ]);
    expect(expressions.length).toBeGreaterThan(200);
    expect(await faultsOf(expressions)).toEqual([]);
  }, 120_000);

  /** Lines of source files, by file. A line with a slow expression ends with `// slow`. */
  const planted: Readonly<Record<string, readonly string[]>> = {
    'src/names.ts': [
      String.raw`const track = /[\s_]*\(?track[\s_]*\d+\)?.*$/i; // slow`,
      String.raw`const quickTrack = /(?<![\s_])[\s_]*\(?track[\s_]*\d.*/is;`,
      String.raw`const script = /<script>(.*?)<\/script>/gs; // slow`,
      String.raw`const address = /^[^@]+@[^@]+\.[^@]+$/; // slow`,
      'const branches = /^(?:a|a)*$/; // slow',
      'const sticky = /x*x*x*y/y; // slow',
      String.raw`const names = text.split(/,|\s*;/); // slow`,
      String.raw`const ending = text.replace(/\.[^.]*$/, '');`,
      String.raw`const digits = '\\d+';`,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is source code
      'const built = new RegExp(`${digits}$`); // slow',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is source code
      'const named = RegExp(`^${name}=(.*)`);',
    ],
    'src/http/routes.ts': [
      String.raw`const name = { pattern: '^[^\\u0000]*[^\\u0000\\s][^\\u0000]*$' }; // slow`,
      "const id = ':id(^[0-9]+$)';",
      "const bundle = ':name((?:[a-z]+-?)+[.]zip$)'; // slow",
    ],
    'page/src/Screen.svelte': [
      '<script lang="ts">',
      String.raw`  const trimmed = (text: string) => text.replace(/^\s+|\s+$/g, ''); // slow`,
      '</script>',
      String.raw`<p>{trimmed(name).split(/\s/)}</p>`,
    ],
  };

  test('finds a planted slow expression with its file and line', { tags: ['full'] }, async () => {
    const root = mkdtempSync(join(tmpdir(), 'planted-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    for (const [file, lines] of Object.entries(planted)) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), lines.join('\n'));
    }
    const faults = await faultsOf(expressionsBelow(root, ['src', 'page/src']));
    const places = faults.map((fault) => fault.split(' ', 1)[0]);
    const expected = Object.entries(planted).flatMap(([file, lines]) =>
      lines.flatMap((line, i) => (line.endsWith('// slow') ? [`${file}:${i + 1}`] : [])),
    );
    expect(places.sort()).toEqual(expected.sort());
  });

  test('stops and names an expression that never ends, and times the next one', {
    tags: ['full'],
  }, async () => {
    const endless = {
      place: 'src/a.ts:1',
      source: '^(?:a?){40}a{40}$',
      flags: '',
      isSplitBy: false,
    };
    const quick = { place: 'src/a.ts:2', source: 'a', flags: '', isSplitBy: false };
    expect(await faultsOf([endless, quick], 3_000)).toEqual([
      'src/a.ts:1 /^(?:a?){40}a{40}$/: no end within 3 s',
    ]);
  });
});

/**
 * Returns `place: fault` for each faulty expression. If the worker is silent for `graceMs`, the
 * current expression counts as endless.
 */
async function faultsOf(expressions: readonly SourceExpression[], graceMs = 20_000) {
  const faults: string[] = [];
  for (let done = 0; done < expressions.length; ) {
    const rest = expressions.slice(done);
    const reported = await timed(rest, graceMs);
    if (reported.length < rest.length) reported.push(`no end within ${graceMs / 1000} s`);
    for (const [index, fault] of reported.entries()) {
      const { place, source, flags } = rest[index] as SourceExpression;
      if (fault !== null) faults.push(`${place} /${source}/${flags}: ${fault}`);
    }
    done += reported.length;
  }
  return faults;
}

/**
 * Returns the faults of the expressions in order. Stops at an expression for which the worker is
 * silent for too long.
 */
function timed(expressions: readonly SourceExpression[], graceMs: number) {
  const reported: (string | null)[] = [];
  const worker = new Worker(new URL('time-expressions.worker.ts', import.meta.url), {
    workerData: expressions,
  });
  let timer: NodeJS.Timeout | undefined;
  worker.on('message', (message: { fault: string | null } | 'ready') => {
    if (message !== 'ready') reported.push(message.fault);
    clearTimeout(timer);
    timer = setTimeout(() => void worker.terminate(), graceMs);
  });
  return new Promise<(string | null)[]>((resolve, reject) => {
    worker.on('error', reject);
    worker.on('exit', () => {
      clearTimeout(timer);
      resolve(reported);
    });
  });
}
