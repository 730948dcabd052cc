/** What a generated client gives for one call. */
interface Result<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response?: Response;
}

/** The calls that were made, by `<METHOD> <path of the document>`, with their statuses. */
export class Calls {
  readonly made: [operation: string, status: number][] = [];

  /** The data of an answer; throws when there is none. */
  data<T>(operation: string, result: Result<T>): T {
    const { data, error } = result;
    this.note(operation, result);
    if (data === undefined) throw new Error(`${operation}: ${JSON.stringify(error)}`);
    return data;
  }

  /** For answers without data. */
  note(operation: string, { response }: Result<unknown>): void {
    this.made.push([operation, response?.status ?? 0]);
  }
}

/** Fails when two values, which the compiler says are of one type, differ. */
export function same<T>(actual: T, expected: NoInfer<T>): void {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (left !== right) throw new Error(`${left} instead of ${right}`);
}

export const image: Blob = new Blob([new Uint8Array([0xff, 0xd8, 0xff, 1])]);
export const imageSize = 4;
