import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import * as fs from 'node:fs';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { maxNonFileBytes } from '../../../src/http/shared/bodies/multipart-feed.ts';
import { connect, openFiles, request } from '../server.ts';
import { FORM, filePart, form, MAX_BYTES, part, startUploadServer } from '../upload-server.ts';

let server: Awaited<ReturnType<typeof startUploadServer>>;
let port: number;
const rejections: unknown[] = [];
const recordRejection = (reason: unknown) => rejections.push(reason);
beforeAll(async () => {
  process.on('unhandledRejection', recordRejection).on('uncaughtException', recordRejection);
  server = await startUploadServer();
  port = await server.listen();
});
afterAll(async () => {
  await server.stop();
  process.off('unhandledRejection', recordRejection).off('uncaughtException', recordRejection);
  expect(rejections).toEqual([]);
});
beforeEach(() => {
  server.received.length = 0;
  server.failures.length = 0;
});

async function send(
  body: Buffer,
  headers: Record<string, string> = { 'content-type': FORM },
  path = '/',
) {
  const response = await request(port, { method: 'POST', path, headers }, body);
  return { status: response.status, ...JSON.parse(response.body.toString()) };
}

describe('the file part of a form', () => {
  test('is received with its name and its bytes unchanged', async () => {
    const bytes = randomBytes(3_000_001);
    expect(await send(form(filePart('name="file"; filename="a.iso"', bytes)))).toEqual({
      status: 200,
      name: 'a.iso',
      size: bytes.length,
    });
    expect(server.received[0]?.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  });

  test.each([
    ['name="file"; filename="Ä 日本.iso"', 'Ä 日本.iso'],
    ['name="file"; filename="a\\"b.iso"', 'a"b.iso'],
    ['name="file"; filename="a%22b%0D%0A.iso"', 'a%22b%0D%0A.iso'],
    ['name="file"; filename="../../evil.iso"', '../../evil.iso'],
    ['name="file"; filename="C:\\dir\\a.iso"', 'C:\\dir\\a.iso'],
    ['name="file"; filename="a;b=c.iso"', 'a;b=c.iso'],
    ['name="file"; filename*=UTF-8\'\'%C3%A4%20b.iso', 'ä b.iso'],
    ['name=file; filename=bare.iso', 'bare.iso'],
    ['filename="first.iso"; name="file"', 'first.iso'],
    ['name="file"; filename=""', ''],
    ['name="file"; filename=".."', '..'],
    ['name="file"; filename="x"; name="other"', 'x'],
  ])('has the file name that its header gives: %s', async (disposition, name) => {
    expect(await send(form(filePart(disposition)))).toMatchObject({ status: 200, name });
  });

  test('is the first part named `file`; any other bytes of the form are ignored', async () => {
    const body = form(
      filePart('name="other"; filename="o"', 'other'),
      part('Content-Disposition: form-data; name="note"', 'x'.repeat(600_000)),
      part('Content-Disposition: form-data; name="constructor"', 'x'),
      part('X-Odd: no disposition', 'x'),
      filePart('name="file"; filename="first"', 'first'),
      filePart('name="file"; filename="second"', 'second'),
    );
    const epilogue = Buffer.concat([Buffer.from('preamble\r\n'), body, randomBytes(300_000)]);
    expect(await send(body)).toEqual({ status: 200, name: 'first', size: 5 });
    expect(await send(epilogue)).toEqual({ status: 200, name: 'first', size: 5 });
  });

  test.each([
    ['no part', form()],
    ['another field name', form(filePart('name="files"; filename="a"'))],
    ['no file name', form(filePart('name="file"'))],
    [
      'no file name in its first part',
      form(filePart('name="file"'), filePart('name="file"; filename="a"')),
    ],
    ['no field name', form(filePart('filename="a"'))],
  ])('is reported missing in a form with %s', async (_, body) => {
    const { status, detail } = await send(body);
    expect({ status, detail }).toEqual({ status: 422, detail: 'file: file part is required' });
  });
});

describe('a multipart body', () => {
  const whole = form(filePart('name="file"; filename="a"', randomBytes(200_000)));
  test.each([
    ['empty', FORM, Buffer.alloc(0)],
    ['without its end', FORM, whole.subarray(0, -4)],
    ['cut in the file', FORM, whole.subarray(0, 100_000)],
    ['cut in the part header', FORM, whole.subarray(0, 40)],
    ['with another boundary', 'multipart/form-data; boundary=other', whole],
    ['without boundary', 'multipart/form-data', whole],
    ['with an empty boundary', 'multipart/form-data; boundary=""', whole],
    ['with a boundary of 252 bytes', `multipart/form-data; boundary=${'x'.repeat(252)}`, whole],
    ['of JSON', FORM, Buffer.from('{"file": "x"}')],
    [
      'of 10,000 parts',
      FORM,
      form(...Array.from({ length: 10_000 }, () => filePart('name="a"')), whole),
    ],
    [
      'of 10,000 parts after the file',
      FORM,
      form(
        filePart('name="file"; filename="a"'),
        ...Array.from({ length: 10_000 }, () => filePart('name="a"')),
      ),
    ],
  ])('is refused as malformed, and no file is stored: %s', async (_, type, body) => {
    const { status, detail } = await send(body, { 'content-type': type });
    expect({ status, detail }).toEqual({ status: 400, detail: 'malformed multipart body' });
    expect(server.received).toEqual([]);
    expect(server.unfinished()).toBe(0);
  });

  test('is refused when the headers of a part have 1 MB', async () => {
    const filler = `X-Filler: ${'x'.repeat(1_000_000)}`;
    const before = part(
      `${filler}\r\nContent-Disposition: form-data; name="file"; filename="a"`,
      'x',
    );
    expect((await send(form(before))).status).toBe(422);
    const many = 'X-Many: x\r\n'.repeat(90_000);
    expect(
      (await send(form(part(`${many}Content-Disposition: form-data; name="file"; filename="a"`))))
        .status,
    ).toBe(422);
  });

  test.each([
    ['text/plain', 415],
    ['application/json', 415],
    ['multipart/mixed; boundary=b0undary', 415],
    ['multipart/form-datax; boundary=b0undary', 415],
    ['application/json\tmultipart/form-data; boundary=b0undary', 415],
    ['\tmultipart/form-data; boundary=b0undary', 200],
    ['Multipart/Form-Data;\tBOUNDARY="b0undary"', 200],
    ['multipart/form-data; charset=utf-8; boundary=b0undary', 200],
  ])('is accepted only with a content type of multipart/form-data: %j', async (type, status) => {
    expect((await send(whole, { 'content-type': type })).status).toBe(status);
  });

  test('is refused without a content type, and with a coding other than identity', async () => {
    expect(await send(whole, {})).toMatchObject({
      status: 422,
      detail: 'file: file part is required',
    });
    for (const [coding, status] of [
      ['gzip', 415],
      ['br', 415],
      ['identity, gzip', 415],
      ['Identity', 200],
    ] as const) {
      expect((await send(whole, { 'content-type': FORM, 'content-encoding': coding })).status).toBe(
        status,
      );
    }
  });
});

describe('the size limit of an uploaded file', () => {
  test.each([
    [MAX_BYTES - 1, 200],
    [MAX_BYTES, 200],
    [MAX_BYTES + 1, 400],
  ])('is exactly 20 MiB, checked with a file of %i bytes', async (size, status) => {
    const body = form(filePart('name="file"; filename="a"', Buffer.alloc(size)));
    expect((await send(body, { 'content-type': FORM }, '/small')).status).toBe(status);
    expect(server.received.map((file) => file.size)).toEqual(status === 200 ? [size] : []);
    expect(server.unfinished()).toBe(0);
  });

  test('applies while the body is still arriving', async () => {
    const { socket, closed } = connect(port);
    socket.write(
      `POST /small HTTP/1.1\r\nHost: x\r\nContent-Type: ${FORM}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const chunk = (bytes: Buffer) =>
      Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
    socket.write(chunk(filePart('name="file"; filename="a"', '').subarray(0, -2)));
    let sent = 0;
    const bytes = Buffer.alloc(65_536);
    while (server.failures.length === 0 && sent < 2 * MAX_BYTES) {
      if (!socket.write(chunk(bytes)))
        await new Promise((resolve) => socket.once('drain', resolve));
      sent += bytes.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
    // Bytes that the operating system and Node have buffered may be read beyond the limit.
    expect(server.failures[0]?.bytesRead).toBeLessThan(MAX_BYTES + 4 * 1024 * 1024);
    socket.write('0\r\n\r\n');
    expect(await closed).toMatch(/^HTTP\/1.1 400[\s\S]*image too large/);
    expect(server.unfinished()).toBe(0);
  });
});

describe('the content of a form besides its file', () => {
  const file = filePart('name="file"; filename="a"', randomBytes(3_000_000));
  const note = (bytes: number) => filePart('name="note"', Buffer.alloc(bytes));
  const overheadOf = (...parts: Buffer[]) => form(...parts).length - 3_000_000;
  const fill = maxNonFileBytes - overheadOf(file, note(0));

  test.each([
    ['before', (parts: Buffer[]) => parts],
    ['after', (parts: Buffer[]) => parts.toReversed()],
  ])('may have up to 1 MiB %s the file', async (_, order) => {
    expect(await send(form(...order([note(fill), file])))).toMatchObject({ status: 200 });
    const more = await send(form(...order([note(fill + 1), file])));
    expect(more).toEqual({ status: 413, detail: 'body too large' });
    expect(server.received).toHaveLength(1);
    expect(server.unfinished()).toBe(0);
  });

  test.each([
    ['part headers', form(part(`X: ${'x'.repeat(maxNonFileBytes)}`), file)],
    [
      'the preamble',
      Buffer.concat([Buffer.alloc(maxNonFileBytes), Buffer.from('\r\n'), form(file)]),
    ],
    ['the epilogue', Buffer.concat([form(file), Buffer.alloc(maxNonFileBytes)])],
    ['a second file', form(file, file)],
    ['a file of another name', form(filePart('name="x"; filename="a"', Buffer.alloc(5_000_000)))],
  ])('is refused when it exceeds 1 MiB in %s', async (_, body) => {
    expect(await send(body)).toEqual({ status: 413, detail: 'body too large' });
    expect(server.received).toEqual([]);
    expect(server.unfinished()).toBe(0);
  });
});

describe('the multipart reader', () => {
  test('stores no file of a body that is cut off after the end of its form', async () => {
    const body = form(filePart('name="file"; filename="a"'));
    for (const announced of [`Content-Length: ${body.length + 10}`, 'Transfer-Encoding: chunked']) {
      const accepted = once(server.app.server, 'connection');
      const { socket, closed } = connect(port);
      socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Type: ${FORM}\r\n${announced}\r\n\r\n`);
      if (announced.startsWith('T')) socket.write(`${body.length.toString(16)}\r\n`);
      socket.write(body);
      const [serverEnd] = (await accepted) as [Socket];
      await vi.waitUntil(() => serverEnd.bytesRead === socket.bytesWritten, { timeout: 20_000 });
      socket.destroy();
      await closed;
    }
    await expect.poll(() => server.failures).toHaveLength(2);
    expect(server.received).toEqual([]);
    await expect.poll(() => server.unfinished()).toBe(0);
  });

  test('leaves no stored and no open file when clients disconnect during uploads', async () => {
    const files = () => (fs.existsSync(server.folder) ? fs.readdirSync(server.folder).length : 0);
    const before = { open: openFiles(), files: files() };
    const body = form(filePart('name="file"; filename="a"', Buffer.alloc(300_000)));
    for (let i = 0; i < 150; i++) {
      const { socket, closed } = connect(port);
      socket.write(
        `POST ${i % 2 ? '/' : '/small'} HTTP/1.1\r\nHost: x\r\nContent-Type: ${FORM}\r\nContent-Length: ${body.length}\r\n\r\n`,
      );
      socket.write(body.subarray(0, i * 2_000), () => socket.destroy());
      await closed;
    }
    await expect.poll(openFiles).toBeLessThanOrEqual(before.open);
    await expect.poll(() => server.unfinished()).toBe(0);
    expect(files()).toBe(before.files);
    expect(server.failures.length).toBeGreaterThan(100);
  });
});
