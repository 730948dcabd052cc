/** Types for the parts of autocannon that the benchmark uses; the package ships no types. */
declare module 'autocannon' {
  export interface LoadResult {
    readonly requests: { readonly total: number };
    /** Duration of the load, in seconds. */
    readonly duration: number;
    /** 99th percentile of the latency, in milliseconds. */
    readonly latency: { readonly p99: number };
    readonly errors: number;
    readonly timeouts: number;
    readonly '4xx': number;
    readonly '5xx': number;
  }
  export default function autocannon(options: {
    url: string;
    /** Duration of the load, in seconds. */
    duration: number;
    connections: number;
    requests: {
      path: string;
      headers?: Record<string, string>;
      /** Returns the request to send instead of `request`. */
      setupRequest?: <T extends { path: string }>(request: T) => T;
    }[];
  }): Promise<LoadResult>;
}
