import { accountDocument } from '../../src/http/account-api/app.ts';
import { minimalDocument } from '../../src/http/minimal-api/app.ts';
import { Contract, type Exchange } from '../../trust/contract.ts';

const contracts = {
  account: new Contract(accountDocument('0.0.0-test')),
  signedIn: new Contract(accountDocument('0.0.0-test', { requireSignIn: true })),
  minimal: new Contract(minimalDocument('0.0.0-test'), /(.)\/$/),
};
const servers = new Map<string, Contract>();

/** From now on every answer of the server at `url` is compared with the document of its API. */
export function documentServer(url: string, api: keyof typeof contracts): void {
  servers.set(new URL(url).origin, contracts[api]);
}

/** Throws when the server at `url` answered otherwise than its document says. */
export function checkAnswer(url: string, exchange: Exchange): void {
  const contract = servers.get(new URL(url).origin);
  if (contract === undefined || isBeside(exchange)) return;
  const faults = contract.faults(exchange);
  if (faults.length === 0) return;
  const { method, path, status } = exchange;
  throw new Error(
    `${method} ${path} answered ${status} against its document: ${faults.join('; ')}`,
  );
}

/** The document and its page describe others, and a preflight is the browser's business. */
function isBeside({ method, path, status }: Exchange): boolean {
  return /^\/api\/(docs|openapi\.json)\b/.test(path) || (method === 'OPTIONS' && status === 204);
}
