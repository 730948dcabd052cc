/** The last acknowledged value of a thing, and the later values without an acknowledgement. */
interface Claim {
  acknowledged: string | null;
  unacknowledged: string[];
}

/** Records the writes that a server acknowledged, for comparison with the server's later state. */
export class Ledger {
  readonly #claims = new Map<string, Claim>();
  #acknowledged = 0;

  /** Number of acknowledged writes. */
  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** Names of things with at least one acknowledged value, such as `archive a.zip`. */
  get things(): string[] {
    return [...this.#claims]
      .filter(([, { acknowledged }]) => acknowledged !== null)
      .map(([thing]) => thing);
  }

  /**
   * Writes a value. Writes of the same thing must not overlap. `write` resolves to true if the
   * server acknowledged the value.
   */
  async write(thing: string, value: string, write: () => Promise<boolean>): Promise<void> {
    const claim = this.#claims.get(thing) ?? { acknowledged: null, unacknowledged: [] };
    this.#claims.set(thing, claim);
    claim.unacknowledged.push(value);
    if (await write()) this.recordAcknowledged(thing, value);
  }

  /** Records a value as acknowledged. */
  recordAcknowledged(thing: string, value: string): void {
    this.#claims.set(thing, { acknowledged: value, unacknowledged: [] });
    this.#acknowledged += 1;
  }

  /**
   * Returns true if a thing may have the value `found`. Allowed values are the last acknowledged
   * value, and later values without an acknowledgement.
   */
  verify(thing: string, found: string | null): boolean {
    const claim = this.#claims.get(thing);
    if (claim === undefined || claim.acknowledged === null) return true;
    const isRight = found !== null && [claim.acknowledged, ...claim.unacknowledged].includes(found);
    if (isRight) this.#claims.set(thing, { acknowledged: found, unacknowledged: [] });
    else this.#claims.delete(thing); // report a wrong value only once
    return isRight;
  }
}
