import type { Figure } from '../../measure/figure.ts';
import type { ProxyKind } from './proxy-tools.ts';

/** Counts responses and bodies, and prints the incorrect ones. */
export class Count {
  readonly #kind: ProxyKind;
  #answers = 0;
  #wrong = 0;
  #bodies = 0;
  #wrongBodies = 0;

  constructor(kind: ProxyKind) {
    this.#kind = kind;
  }

  answer(what: string, isRight: boolean): void {
    this.#answers += 1;
    if (isRight) return;
    this.#wrong += 1;
    process.stderr.write(`trust: ${this.#kind}: ${what}\n`);
  }

  body(what: string, isRight: boolean): void {
    this.#bodies += 1;
    if (isRight) return;
    this.#wrongBodies += 1;
    process.stderr.write(`trust: ${this.#kind}: other bytes: ${what}\n`);
  }

  figures(): Figure[] {
    const kind = this.#kind;
    return [
      { what: `${kind}: wrong answers`, value: this.#wrong, unit: `of ${this.#answers}`, max: 0 },
      {
        what: `${kind}: bodies with wrong bytes`,
        value: this.#wrongBodies,
        unit: `of ${this.#bodies}`,
        max: 0,
      },
    ];
  }
}
