import type { Server } from '../../measure/program.ts';
import type { Curl } from './curl.ts';
import type { RunningProxy } from './proxy.ts';

/** A server behind a proxy, and a browser that uses it. */
export interface Site {
  readonly proxy: RunningProxy;
  readonly server: Server;
  readonly curl: Curl;
  readonly folder: string;
  /** The server's `--base-path`, or "" if it is not set. */
  readonly path: string;
  /** The URL of the site as users see it. */
  readonly url: string;
  /** The URL of the server, without the proxy. */
  readonly direct: string;
}

/** The IP address of the browser. */
export const browserAddress = '127.0.0.5';
