/**
 * Texts by key. Every `Key` must have a text. Other keys are allowed for values that occur only in
 * older records.
 */
type Texts<Key extends string> = Readonly<Record<Key, string>> & Readonly<Record<string, string>>;

/** Checks at compile time that every key has a text. */
export const texts = <Key extends string>(all: Texts<Key>) => all;
