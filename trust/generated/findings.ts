import type { Contract } from '../../measure/contract.ts';
import type { Figure } from '../../measure/figure.ts';
import type { GeneratedRequest } from './requests.ts';
import type { TimedExchange } from './sent-request.ts';

/** Matches content that the server must never send: the canaries, the database, a system file. */
const secrets = /this file is not in the store|SQLite format 3|root:x:0:/;
const maxMs = 2_000;
/**
 * Limit for the number of operations that never succeed. Such operations need data that the check
 * does not have, for example library files. All other operations must succeed at least once.
 */
const maxUndone = 30;
/** Maximum number of incorrect responses to print. */
const maxShown = 10;

interface JudgedExchange {
  readonly request: GeneratedRequest;
  readonly response: TimedExchange;
  readonly role: string;
  readonly contract: Contract;
}

/** Judges each response and counts the incorrect ones. */
export class Findings {
  #judged = 0;
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

  judge(exchange: JudgedExchange): void {
    const { response, contract } = exchange;
    this.#judged += 1;
    this.#slowestMs = Math.max(this.#slowestMs, response.ms);
    const { operation } = exchange.request;
    if (operation !== null) {
      const isDone = response.status > 0 && response.status < 400;
      this.#operations.set(operation, isDone || this.#operations.get(operation) === true);
    }
    if (response.status === 0) {
      this.#unanswered += 1;
      this.#show(exchange, response.body);
      return;
    }
    if (response.status >= 500 && response.status !== 503 && response.status !== 507) {
      this.#failures += 1;
      this.#show(exchange, response.body);
    }
    if (secrets.test(response.body)) {
      this.#leaks += 1;
      this.#show(exchange, 'it leaks a secret');
    }
    if (response.ms > maxMs) this.#show(exchange, `after ${Math.round(response.ms)} ms`);
    const faults = faultsOf(contract, response);
    if (faults.length === 0) return;
    this.#undocumented += 1;
    this.#show(exchange, faults.join('; '));
  }

  figures(): Figure[] {
    const never = [...this.#operations].filter(([, isDone]) => !isDone);
    const unit = `of ${this.#judged}`;
    return [
      { what: '5xx other than 503 and 507', value: this.#failures, unit, max: 0 },
      { what: 'without a response', value: this.#unanswered, unit, max: 0 },
      { what: 'responses that violate the document', value: this.#undocumented, unit, max: 0 },
      { what: 'responses that leak a secret', value: this.#leaks, unit, max: 0 },
      {
        what: 'operations that never succeeded',
        value: never.length,
        unit: `of ${this.#operations.size}`,
        max: maxUndone,
      },
      { what: 'the slowest response', value: this.#slowestMs, unit: 'ms', max: maxMs },
    ];
  }

  #show({ request, response, role }: JudgedExchange, why: string): void {
    this.#shown += 1;
    if (this.#shown > maxShown) return;
    const { method, path, headers, body, isChunked } = request;
    const sent = { headers, body: body?.toString().slice(0, 300), isChunked };
    process.stderr.write(
      `trust: ${role}: ${method} ${path.slice(0, 300)} ${JSON.stringify(sent)} was answered ` +
        `with ${response.status}: ${why.slice(0, 300)}\n`,
    );
  }
}

function faultsOf(contract: Contract, response: TimedExchange): string[] {
  if (/^\/api\/(docs|openapi\.json)(\W|$)/.test(response.path)) return []; // not in the document
  try {
    return contract.findDeviations(response);
  } catch (error) {
    return [String(error)];
  }
}
