/** Somebody who may ask everything, at each of two servers. */
export interface Asked {
  readonly url: string;
  readonly token?: string;
}

/** An answer that is not the same at both. */
export interface Difference {
  readonly path: string;
  readonly statuses: readonly number[];
  /** What stands at the first place where the texts differ. */
  readonly texts: readonly string[];
}

const atOnce = 4;
/** When something was recorded, another moment at each, also as a file's time and what is made of it. */
const times =
  /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z|(?<="mtime_ns": ?)\d+|(?<="cover_tag": ?")[\w-]+/g;

/** Asks both the same; returns what they answered otherwise than one another, byte by byte but for times of records. */
export async function differencesOf(
  servers: readonly [Asked, Asked],
  paths: readonly string[],
): Promise<{ differences: Difference[]; statuses: Map<number, number> }> {
  const differences: Difference[] = [];
  const statuses = new Map<number, number>();
  const left = paths.values();
  const work = async () => {
    for (const path of left) {
      const [one, other] = await Promise.all(servers.map((server) => ask(server, path)));
      if (one === undefined || other === undefined) continue;
      statuses.set(one.status, (statuses.get(one.status) ?? 0) + 1);
      if (one.status === other.status && one.text === other.text) continue;
      let at = 0;
      while (one.text[at] !== undefined && one.text[at] === other.text[at]) at += 1;
      const part = ({ text }: { text: string }) => text.slice(Math.max(0, at - 60), at + 60);
      const found = { statuses: [one.status, other.status], texts: [part(one), part(other)] };
      differences.push({ path, ...found });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { differences, statuses };
}

async function ask({ url, token }: Asked, path: string): Promise<{ status: number; text: string }> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await fetch(url + path, { headers });
  // Each byte a character: what is no text is compared, too.
  const text = Buffer.from(await answer.arrayBuffer()).toString('latin1');
  const type = answer.headers.get('content-type');
  return { status: answer.status, text: `${type} ${text.replaceAll(times, 'TIME')}` };
}
