import * as http from 'node:http';
import * as https from 'node:https';
import type { ProbeResponse } from '../core/doctor/ports.ts';
import { failureReason } from './failure-reason.ts';

const timeoutMs = 10_000;
const maxBytes = 4_096;

/**
 * Sends a GET request to a URL, without following redirects. Waits at most 10 s, and stops reading
 * after about 4,096 bytes. Never rejects: if the request fails, the returned response contains
 * the problem.
 */
export function probeServer(url: string): Promise<ProbeResponse> {
  return new Promise((resolve) => {
    const fail = (error: unknown) =>
      resolve({ problem: failureReason(error), status: 0, text: '', date: null });
    const { get } = url.startsWith('https:') ? https : http;
    const signal = AbortSignal.timeout(timeoutMs);
    const request = get(url, { signal, agent: false }, (response) => {
      const { statusCode: status = 0, headers } = response;
      const date = Date.parse(headers.date ?? '');
      let text = '';
      const end = () => {
        resolve({ problem: null, status, text, date: Number.isNaN(date) ? null : date });
        request.destroy();
      };
      response.on('data', (piece: Buffer) => {
        text += piece.toString('latin1');
        if (text.length > maxBytes) end();
      });
      response.on('end', end);
      response.on('error', fail);
    });
    request.on('error', (error) =>
      fail(signal.aborted ? new Error(`it did not answer within ${timeoutMs / 1000} s`) : error),
    );
  });
}
