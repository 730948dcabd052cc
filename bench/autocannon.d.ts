/** The part of autocannon that is used; the package brings no types. */
declare module 'autocannon' {
  export interface LoadResult {
    readonly requests: { readonly total: number };
    /** Seconds that it took. */
    readonly duration: number;
    /** Milliseconds. */
    readonly latency: { readonly p99: number };
    readonly errors: number;
    readonly timeouts: number;
    readonly '4xx': number;
    readonly '5xx': number;
  }
  export default function autocannon(options: {
    url: string;
    /** Seconds. */
    duration: number;
    connections: number;
    requests: {
      path: string;
      headers?: Record<string, string>;
      /** What is sent instead. */
      setupRequest?: <T extends { path: string }>(request: T) => T;
    }[];
  }): Promise<LoadResult>;
}
