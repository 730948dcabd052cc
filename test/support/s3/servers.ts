import { s3SkipReason, startS3 } from './radosgw.ts';
import type { S3Server } from './s3-server.ts';
import { startSwift, swiftSkipReason } from './swift.ts';

/** The S3 servers on which the test suites run, if the servers are installed. */
export const s3Servers: readonly {
  readonly name: string;
  /** The reason why the server cannot run on this machine; null if it can. */
  readonly skipReason: string | null;
  /** Number of database engines with which the suites run on this server. */
  readonly engines: number;
  start(): Promise<S3Server>;
}[] = [
  { name: 'radosgw', skipReason: s3SkipReason, engines: 2, start: startS3 },
  { name: 'Swift', skipReason: swiftSkipReason, engines: 1, start: () => startSwift() },
];
