import type { Server } from '../../bench/work.ts';
import type { Curl } from './curl.ts';
import type { RunningProxy } from './proxy.ts';

/** A server behind a proxy, and a browser that asks it. */
export interface Site {
  readonly proxy: RunningProxy;
  readonly server: Server;
  readonly curl: Curl;
  readonly folder: string;
  /** What the server's `--base-path` is; "" for none. */
  readonly path: string;
  /** Where it is for people. */
  readonly url: string;
  /** The same without the proxy. */
  readonly direct: string;
}

/** What the browser asks from. */
export const browserAddress = '127.0.0.5';
