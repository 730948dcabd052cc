import type { Figure } from '../../measure/figure.ts';
import type { ProxyKind } from './proxy-tools.ts';

/** Counts responses and bodies, and prints the incorrect ones. */
export class Count {
  readonly #kind: ProxyKind;
  #responses = 0;
  #wrong = 0;
  #bodies = 0;
  #wrongBodies = 0;

  constructor(kind: ProxyKind) {
    this.#kind = kind;
  }

  countResponse(what: string, isRight: boolean): void {
    this.#responses += 1;
    if (isRight) return;
    this.#wrong += 1;
    process.stderr.write(`trust: ${this.#kind}: ${what}\n`);
  }

  countBody(what: string, isRight: boolean): void {
    this.#bodies += 1;
    if (isRight) return;
    this.#wrongBodies += 1;
    process.stderr.write(`trust: ${this.#kind}: other bytes: ${what}\n`);
  }

  figures(): Figure[] {
    const kind = this.#kind;
    return [
      {
        what: `${kind}: wrong responses`,
        value: this.#wrong,
        unit: `of ${this.#responses}`,
        max: 0,
      },
      {
        what: `${kind}: bodies with wrong bytes`,
        value: this.#wrongBodies,
        unit: `of ${this.#bodies}`,
        max: 0,
      },
    ];
  }
}
