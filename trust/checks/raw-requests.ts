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

const always = [
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
    what: "Node's own answer to what is no HTTP",
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
        for (const one of rawCases) {
          const faults = await faultsOf(server.url, one, key);
          if (faults.length === 0) continue;
          wrong += 1;
          if (!trial.isControl) {
            process.stderr.write(`trust: ${key}: ${one.what}: ${faults.join('; ')}\n`);
          }
        }
        if ((await fetch(`${server.url}/api/releases`)).status !== 200) wrong += 1;
      } finally {
        await server.stop();
      }
    }
    const unit = `of ${rawCases.length * 2}`;
    return [{ what: 'requests not answered once and rightly', value: wrong, unit, max: 0 }];
  },
};

async function faultsOf(url: string, one: RawCase, key: string): Promise<string[]> {
  const socket = await openSocket(url);
  let received = '';
  let isClosed = false;
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
  });
  socket.once('close', () => {
    isClosed = true;
  });
  socket.write(Buffer.from(one.bytes, 'latin1'));
  const until = performance.now() + maxMs;
  while (answersIn(received).length === 0 && !isClosed && performance.now() < until) {
    await setTimeout(10);
  }
  while (one.closes && !isClosed && performance.now() < until) await setTimeout(10);
  if (!isClosed) await setTimeout(restMs);
  socket.destroy();
  const answers = answersIn(received);
  const [answer] = answers;
  if (answer === undefined) return ['no answer'];
  const faults: string[] = [];
  if (answers.length > 1) faults.push(`${answers.length} answers`);
  if (!one.statuses.includes(answer.status)) faults.push(`answered with ${answer.status}`);
  if (one.closes && !isClosed) faults.push('the connection stays open');
  for (const [name, value] of always) {
    const given = answer.headers.get(name) ?? '';
    const isRight = typeof value === 'string' ? given === value : value.test(given);
    if (!isRight) faults.push(`${name}: ${given}`);
  }
  if (answer.status >= 400 && !isError(answer.body, key))
    faults.push(`not in its form: ${answer.body}`);
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
function answersIn(text: string) {
  const answers: { status: number; headers: Map<string, string>; body: string }[] = [];
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
    answers.push({ status: Number(first.split(' ')[1]), headers, body });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}
