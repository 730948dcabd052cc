import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc, { type Arbitrary } from 'fast-check';
import { Contract } from '../../measure/contract.ts';
import { generateDats } from '../../measure/dats.ts';
import type { Figure } from '../../measure/figure.ts';
import { timeImport } from '../../measure/timed-import.ts';
import { createUserClient, openUserClient, type UserClient } from '../../measure/user-client.ts';
import { accountDocument } from '../../src/http/account-api/app.ts';
import { minimalDocument } from '../../src/http/minimal-api/app.ts';
import type { Check } from '../check.ts';
import { Findings } from '../generated/findings.ts';
import { known, png } from '../generated/known.ts';
import { type GeneratedRequest, requestsOf } from '../generated/requests.ts';
import { Sender } from '../generated/sent-request.ts';
import { contentOf, stateOf } from '../generated/state.ts';
import type { Trial } from '../trial.ts';

/** Number of requests that are sent by readers only, by all roles, and to the minimal API. */
const counts = { readers: 6_000, everyone: 10_000, minimal: 4_000 };
const concurrency = 8;
const apiToken = 'token-of-the-minimal-api';
/** Content of the canary files. No response may contain this text. */
const secret = 'this file is not in the store';

/**
 * Sends generated requests as every role, including malformed requests. Checks that no request
 * causes a failure or leak, and that readers change nothing.
 */
export const generatedRequests: Check = {
  name: 'generated-requests',
  control: {
    what: 'names with separators, and users edit releases',
    changes: [
      { file: 'src/files/local/locate.ts', from: '    !/[/\\\\\\0]/.test(name) &&\n', to: '' },
      {
        file: 'src/http/account-api/endpoints-and-roles.ts',
        from: "[12, 'PATCH', '/api/releases/{release_id}', 'editor',",
        to: "[12, 'PATCH', '/api/releases/{release_id}', 'user',",
      },
    ],
  },
  async measure(trial) {
    process.stderr.write(`trust: generated-requests --seed ${trial.seed}\n`);
    const data = join(trial.folder, 'data');
    await timeImport(await generateDats(join(trial.folder, 'dats'), [40, 20]), data);
    const findings = new Findings();
    const options = ['--login-failures', '30', '--cover-source', '', '--catalogue-source', ''];
    const account = await trial.startServer(data, options);
    let changed: number;
    try {
      changed = await checkAccountApi(trial, account.url, data, findings);
    } finally {
      await account.stop();
    }
    const minimal = await trial.startServer(data, ['--minimal', '--cover-source', ''], {
      CATALOG_API_TOKEN: apiToken,
    });
    try {
      const before = await contentOf(data);
      await checkMinimalApi(trial, minimal.url, findings);
      if ((await contentOf(data)) !== before) changed += 1;
    } finally {
      await minimal.stop();
    }
    return [...findings.figures(), changedFigure(changed)];
  },
};

function changedFigure(value: number): Figure {
  return { what: 'kinds of data that readers changed', value, unit: '', max: 0 };
}

/** Returns how many kinds of data the readers' requests have changed. */
async function checkAccountApi(trial: Trial, url: string, data: string, findings: Findings) {
  const admin = await openUserClient(url);
  const roles = new Map<string, UserClient>([['admin', await openUserClient(url)]]);
  for (const role of ['user', 'editor']) {
    roles.set(role, await createUserClient(url, admin, `the-${role}`, role));
  }
  await createUserClient(url, admin, 'second-admin', 'admin');
  for (let i = 0; i < 3; i += 1) await createUserClient(url, admin, `named-${i}`, 'editor');
  const zip = new TextEncoder().encode('PK archive');
  for (const name of ['a.zip', 'b.iso']) await admin.upload(name, zip);
  for (const id of [1, 2, 3]) await admin.putCover(id, png);
  await writeFile(join(data, 'covers/all.zip'), zip);
  for (const folder of [data, dirname(data), join(data, 'store')]) {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'canary.txt'), secret);
  }
  const requests = requestsOf(accountDocument('0'), known);
  const contract = new Contract(accountDocument('0'));
  const sendAll = async (count: number, names: readonly string[], seed: number) => {
    const sender = new Sender(url);
    await forEachRequest(requests, count, seed, async (request, index) => {
      const role = names[index % names.length] ?? 'anonymous';
      const token = roles.get(role)?.token;
      const response = await sender.send(request, token && `Bearer ${token}`);
      findings.judge({ request, response, role, contract });
      // The request may have revoked its own token, so log in again.
      if (response.status === 401 && token !== undefined && roles.get(role)?.token === token) {
        const password = `password of the-${role}`;
        roles.set(
          role,
          await (role === 'admin'
            ? openUserClient(url)
            : openUserClient(url, `the-${role}`, password)),
        );
      }
    });
    sender.close();
  };
  const before = await stateOf(admin, data);
  await sendAll(counts.readers, ['anonymous', 'user'], trial.seed);
  const after = await stateOf(admin, data);
  await sendAll(counts.everyone, ['anonymous', 'user', 'editor', 'admin'], trial.seed + 1_000);
  if ((await fetch(`${url}/api/health`)).status !== 200) throw new Error('it is not healthy');
  return Object.keys(before).filter((key) => before[key] !== after[key]).length;
}

async function checkMinimalApi(trial: Trial, url: string, findings: Findings): Promise<void> {
  const contract = new Contract(minimalDocument('0'), /(.)\/$/);
  const credentials = [undefined, `Bearer ${apiToken}`, apiToken, 'Bearer wrong'];
  const sender = new Sender(url);
  const requests = requestsOf(minimalDocument('0'), { ...known, name: ['a.zip', 'all.zip'] });
  await forEachRequest(requests, counts.minimal, trial.seed + 2_000, async (request, index) => {
    const response = await sender.send(request, credentials[index % credentials.length]);
    findings.judge({
      request,
      response,
      role: `minimal ${index % credentials.length}`,
      contract,
    });
  });
  sender.close();
}

/** Sends the requests in order, with at most `concurrency` in progress. */
async function forEachRequest(
  requests: Arbitrary<GeneratedRequest>,
  count: number,
  seed: number,
  send: (request: GeneratedRequest, index: number) => Promise<void>,
): Promise<void> {
  const each = 500;
  for (let from = 0; from < count; from += each) {
    const part = fc.sample(requests, { numRuns: each, seed: seed + from / each });
    let next = 0;
    const worker = async () => {
      for (let i = next++; i < part.length; i = next++) {
        const request = part[i];
        if (request !== undefined) await send(request, from + i);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
  }
}
