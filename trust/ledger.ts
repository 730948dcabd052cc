/** What was answered of one thing: its last value, and those whose answers did not come. */
interface Claim {
  kept: string | null;
  open: string[];
}

/** What a server acknowledged, to be compared with what is there afterwards. */
export class Ledger {
  readonly #claims = new Map<string, Claim>();
  #acknowledged = 0;

  /** How many writes were acknowledged. */
  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** The things of which something was acknowledged, such as `archive a.zip`. */
  get things(): string[] {
    return [...this.#claims].filter(([, { kept }]) => kept !== null).map(([thing]) => thing);
  }

  /** Writes a value, of one thing one after the other; `write` says whether it was acknowledged. */
  async write(thing: string, value: string, write: () => Promise<boolean>): Promise<void> {
    const claim = this.#claims.get(thing) ?? { kept: null, open: [] };
    this.#claims.set(thing, claim);
    claim.open.push(value);
    if (await write()) this.note(thing, value);
  }

  /** Notes what was acknowledged. */
  note(thing: string, value: string): void {
    this.#claims.set(thing, { kept: value, open: [] });
    this.#acknowledged += 1;
  }

  /** Whether a thing may be so: as acknowledged last, or as it was asked for since without an answer. */
  settle(thing: string, found: string | null): boolean {
    const claim = this.#claims.get(thing);
    if (claim === undefined || claim.kept === null) return true;
    const isRight = found !== null && [claim.kept, ...claim.open].includes(found);
    if (isRight) this.#claims.set(thing, { kept: found, open: [] });
    else this.#claims.delete(thing); // told once
    return isRight;
  }
}
