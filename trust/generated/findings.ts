import type { Contract } from '../../measure/contract.ts';
import type { Figure } from '../../measure/figure.ts';
import type { GeneratedRequest } from './requests.ts';
import type { Answered } from './sent-request.ts';

/** Matches content that the server must never send: the canaries, the database, a system file. */
const secrets = /this file is not in the store|SQLite format 3|root:x:0:/;
const mostMs = 2_000;
/**
 * Limit for the number of operations that never succeed. Such operations need data that the check
 * does not have, for example library files. All other operations must succeed at least once.
 */
const mostUndone = 30;
/** Maximum number of incorrect responses to print. */
const mostShown = 10;

interface Asked {
  readonly request: GeneratedRequest;
  readonly answer: Answered;
  readonly role: string;
  readonly contract: Contract;
}

/** Judges each response and counts the incorrect ones. */
export class Findings {
  #asked = 0;
  #unanswered = 0;
  #failures = 0;
  #undocumented = 0;
  #leaks = 0;
  #slowestMs = 0;
  #shown = 0;
  /**
   * Requested operations of the documents. The value is true if the operation has succeeded at
   * least once.
   */
  readonly #operations = new Map<string, boolean>();

  judge(asked: Asked): void {
    const { answer, contract } = asked;
    this.#asked += 1;
    this.#slowestMs = Math.max(this.#slowestMs, answer.ms);
    const { operation } = asked.request;
    if (operation !== null) {
      const isDone = answer.status > 0 && answer.status < 400;
      this.#operations.set(operation, isDone || this.#operations.get(operation) === true);
    }
    if (answer.status === 0) {
      this.#unanswered += 1;
      this.#show(asked, answer.body);
      return;
    }
    if (answer.status >= 500 && answer.status !== 503 && answer.status !== 507) {
      this.#failures += 1;
      this.#show(asked, answer.body);
    }
    if (secrets.test(answer.body)) {
      this.#leaks += 1;
      this.#show(asked, 'it holds what nobody may read');
    }
    if (answer.ms > mostMs) this.#show(asked, `after ${Math.round(answer.ms)} ms`);
    const faults = faultsOf(contract, answer);
    if (faults.length === 0) return;
    this.#undocumented += 1;
    this.#show(asked, faults.join('; '));
  }

  figures(): Figure[] {
    const never = [...this.#operations].filter(([, isDone]) => !isDone);
    const unit = `of ${this.#asked}`;
    return [
      { what: '5xx other than 503 and 507', value: this.#failures, unit, max: 0 },
      { what: 'without an answer', value: this.#unanswered, unit, max: 0 },
      { what: 'answers against their document', value: this.#undocumented, unit, max: 0 },
      { what: 'answers with what nobody may read', value: this.#leaks, unit, max: 0 },
      {
        what: 'operations that no request got done',
        value: never.length,
        unit: `of ${this.#operations.size}`,
        max: mostUndone,
      },
      { what: 'the slowest', value: this.#slowestMs, unit: 'ms', max: mostMs },
    ];
  }

  #show({ request, answer, role }: Asked, why: string): void {
    this.#shown += 1;
    if (this.#shown > mostShown) return;
    const { method, path, headers, body, isChunked } = request;
    const sent = { headers, body: body?.toString().slice(0, 300), isChunked };
    process.stderr.write(
      `trust: ${role}: ${method} ${path.slice(0, 300)} ${JSON.stringify(sent)} was answered ` +
        `with ${answer.status}: ${why.slice(0, 300)}\n`,
    );
  }
}

function faultsOf(contract: Contract, answer: Answered): string[] {
  if (/^\/api\/(docs|openapi\.json)(\W|$)/.test(answer.path)) return []; // not in the document
  try {
    return contract.findDeviations(answer);
  } catch (error) {
    return [String(error)];
  }
}
