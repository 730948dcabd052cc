import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { adminPassword } from '../../measure/program.ts';
import { smallPicture } from '../tools/small-picture.ts';
import type { Count } from './count.ts';
import { browserAddress, type Site } from './site.ts';

/**
 * Acts like a browser. Loads the page, signs in, changes something, uploads a cover and starts a
 * resumable upload.
 */
export async function browse(site: Site, count: Count): Promise<void> {
  const { curl, url, path, proxy, folder, direct } = site;
  const secure = ['--header', `Origin: ${proxy.origin}`];
  const json = (value: object) => ['--json', JSON.stringify(value)];
  const page = await curl.request(`${url}/`);
  const [, script] = /"([^"]+\.js)"/.exec(page.body) ?? [];
  count.countResponse('the page', page.status === 200 && script !== undefined);
  const scriptPath = new URL(script ?? '', `${url}/`).pathname;
  const sent = await curl.request(proxy.origin + scriptPath);
  const isScript = sent.headers.get('content-type')?.includes('javascript') ?? false;
  count.countResponse('a script of the page', sent.status === 200 && isScript);
  const own = await fetch(new URL(scriptPath, direct)).then((response) => response.arrayBuffer());
  count.countBody('a script of the page', Buffer.from(own).toString('latin1') === sent.body);

  const login = { username: 'admin', password: adminPassword, cookie: true };
  const forged = ['--header', 'X-Forwarded-For: 192.0.2.1'];
  const signedIn = await curl.request(
    `${url}/api/auth/login`,
    ...secure,
    ...forged,
    ...json(login),
  );
  const cookie = signedIn.headers.get('set-cookie') ?? '';
  count.countResponse('the login', signedIn.status === 200);
  const flags = ['Secure', 'HttpOnly', 'SameSite=Strict', `Path=${path || '/'}`];
  const attributes = cookie.split('; ');
  count.countResponse(
    'the cookie',
    flags.every((flag) => attributes.includes(flag)),
  );

  const change = async (...from: string[]) => {
    const body = json({ region: 'Europe' });
    return (await curl.request(`${url}/api/releases/1`, '--request', 'PATCH', ...from, ...body))
      .status;
  };
  count.countResponse('a write of the page', (await change(...secure)) === 200);
  const elsewhere = ['--header', 'Origin: https://elsewhere.example'];
  count.countResponse('a write of another site', (await change(...elsewhere)) === 403);

  const picture = join(folder, 'cover.png');
  await writeFile(picture, smallPicture);
  const cover = await curl.request(`${url}/api/cover/1`, ...secure, '--form', `file=@${picture}`);
  count.countResponse('an upload of a cover', cover.status === 200);
  const small = await curl.request(`${url}/api/cover/1?width=160`);
  const isPicture = small.headers.get('content-type') === 'image/webp';
  count.countResponse('a thumbnail', small.status === 200 && isPicture);

  const length = ['--header', 'Upload-Length: 5', '--header', 'Tus-Resumable: 1.0.0'];
  const name = `Upload-Metadata: filename ${btoa('resumed.bin')},system ${btoa('games')}`;
  const created = await curl.request(
    `${url}/api/uploads`,
    ...['--request', 'POST', ...secure, ...length, '--header', name],
  );
  const location = created.headers.get('location') ?? '';
  count.countResponse('the URL of an upload', location.startsWith(`${path}/api/uploads/`));
  const resumed = await curl.request(
    new URL(location, proxy.origin).href,
    ...['--head', '--header', 'Tus-Resumable: 1.0.0'],
  );
  count.countResponse('the offset of an upload', resumed.headers.get('upload-offset') === '0');

  const audit = await curl.request(`${url}/api/audit?limit=500`);
  const { items = [] } = JSON.parse(audit.body || '{}') as { items?: { address: string }[] };
  const addresses = new Set(items.map((item) => item.address).filter((each) => each !== null));
  count.countResponse(
    `addresses in the audit: ${[...addresses]}`,
    addresses.size === 1 && addresses.has(browserAddress),
  );
  const outside = await curl.request(`${url}/api/nothing`);
  count.countResponse('an unknown path', outside.status === 404);
  if (path !== '') {
    const outsideBase = await curl.request(`${proxy.origin}/api/health`);
    count.countResponse('a path outside the base', outsideBase.status === 404);
  }
}
