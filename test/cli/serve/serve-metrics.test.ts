import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { logIn, sendRequest } from '../../support/http/client.ts';
import { useSandbox } from '../../support/process.ts';

/** Returns the value of a metric, or undefined if it is missing. `name` includes the labels. */
function figure(text: string, name: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
}

async function useMetrics() {
  const sandbox = await useSandbox();
  const address = `127.0.0.1:${await freePort()}`;
  const server = await sandbox.serve(['--metrics', address]);
  return { sandbox, server, address, read: () => sendRequest(`http://${address}/metrics`) };
}

const requestCount = (labels: string) => `catalog_http_request_duration_seconds_count{${labels}}`;

describe('catalog serve', () => {
  test('counts requests by method, route and status in metrics, without their paths', async () => {
    const { server, read } = await useMetrics();
    for (const id of [1, 2, 3]) await sendRequest(`${server.url}/api/releases/${id}?q=secret`);
    await sendRequest(`${server.url}/api/nothing/secret`);
    const wrong = { username: 'secret', password: 'secret' };
    await sendRequest(`${server.url}/api/auth/login`, { json: wrong });
    const { text, headers, status } = await read();
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    const detail = 'method="GET",route="/api/releases/{release_id}",status="404"';
    expect(figure(text, requestCount(detail))).toBe(3);
    expect(figure(text, requestCount('method="GET",route="none",status="404"'))).toBe(1);
    expect(figure(text, requestCount('method="POST",route="/api/auth/login",status="401"'))).toBe(
      1,
    );
    expect(text).not.toContain('secret');
  });

  test('reports the process, the disk, the jobs and the newest backup in its metrics', async () => {
    const { server, read } = await useMetrics();
    const token = await logIn(server.url);
    const before = (await read()).text;
    expect(figure(before, 'catalog_free_bytes')).toBeGreaterThan(1_000_000);
    expect(figure(before, 'catalog_last_backup_timestamp_seconds')).toBe(0);
    expect(figure(before, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0);
    expect(figure(before, 'process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
    for (const queue of ['password', 'read', 'long_read']) {
      expect(figure(before, `catalog_queue_waiting{queue="${queue}"}`)).toBe(0);
    }
    expect(before).not.toContain('catalog_jobs_running{');
    const json = { kind: 'scan', options: {} };
    expect((await sendRequest(`${server.url}/api/jobs`, { token, json })).status).toBe(200);
    const running = async () => figure((await read()).text, 'catalog_jobs_running{kind="scan"}');
    await expect.poll(running).toBe(1);
    await expect.poll(running).toBeUndefined();
  });

  test('serves metrics only for GET and HEAD of /metrics, and stops despite a half-sent request', {
    tags: ['full'],
  }, async () => {
    const { server, address } = await useMetrics();
    expect((await sendRequest(`http://${address}/metrics`, { method: 'HEAD' })).status).toBe(200);
    expect((await sendRequest(`http://${address}/metrics`, { method: 'POST' })).status).toBe(405);
    expect((await sendRequest(`http://${address}/`)).status).toBe(404);
    const socket = connect(Number(address.split(':')[1]), '127.0.0.1');
    socket.on('error', () => {}).write('GET /metrics HTTP/1.1\r\nHost: x\r\n');
    onTestFinished(() => void socket.destroy());
    expect((await server.stop()).code).toBe(0);
  });

  test('serves no metrics on the port of the API, and refuses a taken metrics port', {
    tags: ['full'],
  }, async () => {
    const { sandbox, server, address } = await useMetrics();
    expect((await sendRequest(`${server.url}/metrics`)).text).not.toContain('catalog_');
    const second = await sandbox.run(['serve', '--port', '0', '--metrics', address]);
    expect(second).toMatchObject({
      code: 1,
      stderr: `catalog: --metrics: cannot listen on ${address} (EADDRINUSE)\n`,
    });
  });

  test('logs its start and its stop but no requests with --access-log off', {
    tags: ['full'],
  }, async () => {
    const sandbox = await useSandbox();
    const server = await sandbox.serve(['--access-log', 'off']);
    await sendRequest(`${server.url}/api/releases`);
    const messages = (await server.stop()).stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).msg);
    expect(messages).toEqual(['serving', 'stopping: waiting for running requests', 'stopped']);
  });
});
