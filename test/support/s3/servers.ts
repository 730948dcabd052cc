import { lackOfS3, startS3 } from './radosgw.ts';
import type { S3Server } from './s3-server.ts';
import { lackOfSwift, startSwift } from './swift.ts';

/** The S3 servers that suites run on, if they are installed. */
export const s3Servers: readonly {
  readonly name: string;
  /** The reason why it cannot run here; null if it can. */
  readonly lack: string | null;
  /** Number of database engines that suites run with there. */
  readonly engines: number;
  start(): Promise<S3Server>;
}[] = [
  { name: 'radosgw', lack: lackOfS3, engines: 2, start: startS3 },
  { name: 'Swift', lack: lackOfSwift, engines: 1, start: () => startSwift() },
];
