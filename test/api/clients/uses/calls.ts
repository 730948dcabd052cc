/** The result of one call of a generated client. */
interface Result<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response?: Response;
}

/** Records the calls and their statuses. An operation is `<METHOD> <path of the document>`. */
export class Calls {
  readonly made: [operation: string, status: number][] = [];

  /** Records a call and returns the data of its response. Throws if the response has no data. */
  data<T>(operation: string, result: Result<T>): T {
    const { data, error } = result;
    this.record(operation, result);
    if (data === undefined) throw new Error(`${operation}: ${JSON.stringify(error)}`);
    return data;
  }

  /** Records a call whose response has no data. */
  record(operation: string, { response }: Result<unknown>): void {
    this.made.push([operation, response?.status ?? 0]);
  }
}

/** Throws if two values differ. The compiler checks that both have the same type. */
export function same<T>(actual: T, expected: NoInfer<T>): void {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (left !== right) throw new Error(`${left} instead of ${right}`);
}

export const image: Blob = new Blob([new Uint8Array([0xff, 0xd8, 0xff, 1])]);
export const imageSize = 4;
