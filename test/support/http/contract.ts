import { Contract, type Exchange } from '../../../measure/contract.ts';
import { accountDocument } from '../../../src/http/account-api/app.ts';
import { minimalDocument } from '../../../src/http/minimal-api/app.ts';

const contracts = {
  account: new Contract(accountDocument('0.0.0-test')),
  signedIn: new Contract(accountDocument('0.0.0-test', { requireSignIn: true })),
  minimal: new Contract(minimalDocument('0.0.0-test'), /(.)\/$/),
};
const servers = new Map<string, Contract>();

/**
 * Registers a server. From now on, its responses are compared with the OpenAPI document of its API.
 */
export function registerContract(url: string, api: keyof typeof contracts): void {
  servers.set(new URL(url).origin, contracts[api]);
}

/** Throws if a response of the server at `url` does not match the server's document. */
export function checkResponse(url: string, exchange: Exchange): void {
  const contract = servers.get(new URL(url).origin);
  if (contract === undefined || isUndocumented(exchange)) return;
  const faults = contract.findDeviations(exchange);
  if (faults.length === 0) return;
  const { method, path, status } = exchange;
  throw new Error(
    `${method} ${path} answered ${status} against its document: ${faults.join('; ')}`,
  );
}

/**
 * Returns true if the document does not describe an exchange: for the document itself, its page,
 * WebDAV, or a preflight.
 */
function isUndocumented({ method, path, status }: Exchange): boolean {
  return (
    /^\/(api\/(docs|openapi\.json)|dav)\b/.test(path) || (method === 'OPTIONS' && status === 204)
  );
}
