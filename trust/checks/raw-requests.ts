import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { generateDats } from '../../measure/dats.ts';
import { timeImport } from '../../measure/timed-import.ts';
import type { Check } from '../check.ts';
import { type RawCase, rawCases } from '../raw-cases.ts';
import { openSocket } from '../tools/raw-socket.ts';

/** Time limit for the response, and for the server to close the connection, in milliseconds. */
const maxMs = 2_000;
/** Time to wait for an unexpected second response, in milliseconds. */
const restMs = 300;

const requiredHeaders = [
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  ['referrer-policy', 'no-referrer'],
  ['content-security-policy', /default-src 'none'/],
] as const;

/**
 * Checks that any bytes on a connection get one response in the API's own format. If the following
 * bytes are ambiguous, the server must close the connection.
 */
export const rawRequests: Check = {
  name: 'raw-requests',
  control: {
    what: "Node's own response to bytes that are not HTTP",
    changes: [
      {
        file: 'src/http/shared/server/server.ts',
        from: 'malformed.refuse(error, socket);\n',
        to: String.raw`socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
`,
      },
    ],
  },
  async measure(trial) {
    const data = join(trial.folder, 'data');
    await timeImport(await generateDats(join(trial.folder, 'dats'), [3]), data);
    let wrong = 0;
    for (const [options, key] of [
      [[], 'detail'],
      [['--minimal'], 'error'],
    ] as const) {
      const server = await trial.startServer(data, options);
      try {
        for (const rawCase of rawCases) {
          const faults = await faultsOf(server.url, rawCase, key);
          if (faults.length === 0) continue;
          wrong += 1;
          if (!trial.isControl) {
            process.stderr.write(`trust: ${key}: ${rawCase.what}: ${faults.join('; ')}\n`);
          }
        }
        if ((await fetch(`${server.url}/api/releases`)).status !== 200) wrong += 1;
      } finally {
        await server.stop();
      }
    }
    const unit = `of ${rawCases.length * 2}`;
    return [{ what: 'requests without exactly one correct response', value: wrong, unit, max: 0 }];
  },
};

async function faultsOf(url: string, rawCase: RawCase, key: string): Promise<string[]> {
  const socket = await openSocket(url);
  let received = '';
  let isClosed = false;
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
  });
  socket.once('close', () => {
    isClosed = true;
  });
  socket.write(Buffer.from(rawCase.bytes, 'latin1'));
  const until = performance.now() + maxMs;
  while (responsesIn(received).length === 0 && !isClosed && performance.now() < until) {
    await setTimeout(10);
  }
  while (rawCase.closes && !isClosed && performance.now() < until) await setTimeout(10);
  if (!isClosed) await setTimeout(restMs);
  socket.destroy();
  const responses = responsesIn(received);
  const [response] = responses;
  if (response === undefined) return ['no response'];
  const faults: string[] = [];
  if (responses.length > 1) faults.push(`${responses.length} responses`);
  if (!rawCase.statuses.includes(response.status)) faults.push(`status ${response.status}`);
  if (rawCase.closes && !isClosed) faults.push('the connection stays open');
  for (const [name, value] of requiredHeaders) {
    const actual = response.headers.get(name) ?? '';
    const isRight = typeof value === 'string' ? actual === value : value.test(actual);
    if (!isRight) faults.push(`${name}: ${actual}`);
  }
  if (response.status >= 400 && !isError(response.body, key))
    faults.push(`not in the error format: ${response.body}`);
  return faults;
}

function isError(body: string, key: string): boolean {
  try {
    return Object.keys(JSON.parse(body)).join() === key;
  } catch {
    return false;
  }
}

/**
 * Returns the responses received so far. Bytes after the last complete response count as another
 * response.
 */
function responsesIn(text: string) {
  const responses: { status: number; headers: Map<string, string>; body: string }[] = [];
  for (let rest = text; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) break;
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n');
    const headers = new Map(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
      }),
    );
    const length = Number(headers.get('content-length') ?? rest.length);
    const body = rest.slice(end + 4, end + 4 + length);
    responses.push({ status: Number(first.split(' ')[1]), headers, body });
    rest = rest.slice(end + 4 + length);
  }
  return responses;
}
