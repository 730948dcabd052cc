import { type AccountApiParts, createAccountApi } from '../src/http/account-api/app.ts';
import { createLog } from '../src/log.ts';

/** The account API's OpenAPI document as the server makes it. No endpoint is called, so none needs anything behind it. */
export async function accountDocument(): Promise<string> {
  const parts = { corsOrigins: [], version: '0.0.0' } as unknown as AccountApiParts;
  const log = createLog('silent');
  const app = await createAccountApi(parts, { log, trustedProxies: [], isStopping: () => false });
  const { body } = await app.inject('/api/openapi.json');
  await app.close();
  return body;
}
