/**
 * The last acknowledged value of a thing, and the values whose writes were not acknowledged since.
 */
interface Claim {
  kept: string | null;
  open: string[];
}

/** The writes that a server acknowledged, for comparison with its later state. */
export class Ledger {
  readonly #claims = new Map<string, Claim>();
  #acknowledged = 0;

  /** Number of acknowledged writes. */
  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** Things with at least one acknowledged value, such as `archive a.zip`. */
  get things(): string[] {
    return [...this.#claims].filter(([, { kept }]) => kept !== null).map(([thing]) => thing);
  }

  /**
   * Writes a value; writes of the same thing must not overlap. `write` returns whether the value
   * was acknowledged.
   */
  async write(thing: string, value: string, write: () => Promise<boolean>): Promise<void> {
    const claim = this.#claims.get(thing) ?? { kept: null, open: [] };
    this.#claims.set(thing, claim);
    claim.open.push(value);
    if (await write()) this.note(thing, value);
  }

  /** Records an acknowledged value. */
  note(thing: string, value: string): void {
    this.#claims.set(thing, { kept: value, open: [] });
    this.#acknowledged += 1;
  }

  /**
   * Returns whether a thing may have this value: the last acknowledged one, or one requested since
   * without an acknowledgement.
   */
  settle(thing: string, found: string | null): boolean {
    const claim = this.#claims.get(thing);
    if (claim === undefined || claim.kept === null) return true;
    const isRight = found !== null && [claim.kept, ...claim.open].includes(found);
    if (isRight) this.#claims.set(thing, { kept: found, open: [] });
    else this.#claims.delete(thing); // report it only once
    return isRight;
  }
}
