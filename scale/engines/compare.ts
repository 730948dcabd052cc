/** A server, and a token of a user who may send all requests. */
export interface ComparedServer {
  readonly url: string;
  readonly token?: string;
}

/** A path for which the responses of the two servers differ. */
export interface Difference {
  readonly path: string;
  readonly statuses: readonly number[];
  /** Excerpts of both responses around the first difference. */
  readonly texts: readonly string[];
}

const concurrency = 4;
/**
 * Matches values that depend on the time of recording, which differs between the servers. Matches
 * timestamps, a file's mtime, and the cover tag derived from the mtime.
 */
const timePattern =
  /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z|(?<="mtime_ns": ?)\d+|(?<="cover_tag": ?")[\w-]+/g;

/**
 * Sends the same requests to both servers. Compares the responses byte by byte, except for recorded
 * times. Returns the differences, and the number of responses per status.
 */
export async function differencesOf(
  servers: readonly [ComparedServer, ComparedServer],
  paths: readonly string[],
): Promise<{ differences: Difference[]; statuses: Map<number, number> }> {
  const differences: Difference[] = [];
  const statuses = new Map<number, number>();
  const remaining = paths.values();
  const worker = async () => {
    for (const path of remaining) {
      const [one, other] = await Promise.all(servers.map((server) => fetchResponse(server, path)));
      if (one === undefined || other === undefined) continue;
      statuses.set(one.status, (statuses.get(one.status) ?? 0) + 1);
      if (one.status === other.status && one.text === other.text) continue;
      let at = 0;
      while (one.text[at] !== undefined && one.text[at] === other.text[at]) at += 1;
      const excerpt = ({ text }: { text: string }) => text.slice(Math.max(0, at - 60), at + 60);
      const found = { statuses: [one.status, other.status], texts: [excerpt(one), excerpt(other)] };
      differences.push({ path, ...found });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return { differences, statuses };
}

async function fetchResponse(
  { url, token }: ComparedServer,
  path: string,
): Promise<{ status: number; text: string }> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(url + path, { headers });
  // latin1 has one character per byte, so binary content is compared as well.
  const text = Buffer.from(await response.arrayBuffer()).toString('latin1');
  const type = response.headers.get('content-type');
  return { status: response.status, text: `${type} ${text.replaceAll(timePattern, 'TIME')}` };
}
