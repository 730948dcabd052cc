import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';

/** Characters to try with each character class, in addition to the characters in the expression. */
const COMMON = [...'a0 _\n\0!A-é'];
const MAX_CHARACTERS = 8;
/** Number of samples of the text before and after a repetition. */
const SAMPLES = 3;
const MANY = 10;

/** A repetition in an expression, and a sample of the text before and after it. */
interface Repetition {
  readonly repeated: AST.Element;
  readonly before: string;
  readonly after: string;
}

/** The parts of a hostile text. `unit` is repeated between `start` and `end`. */
export interface HostileForm {
  readonly start: string;
  readonly unit: string;
  readonly end: string;
}

/**
 * Returns forms of texts on which a vulnerable expression backtracks for a long time. A form
 * consists of a repeated part of the expression, alone or with the text around it, and an end that
 * makes the match fail.
 * Source: Wüstholz and others, "Static Detection of DoS Vulnerabilities in Programs that use
 * Regular Expressions" (2017), section 3. There, a hostile text is a prefix, a repeated word and a
 * suffix.
 */
export function hostileForms(source: string, flags: string): HostileForm[] {
  const isUnicode = flags.includes('u');
  const tree = new RegExpParser().parsePattern(source, 0, source.length, isUnicode);
  const sampler = new Sampler(tree, flags);
  const forms = new Map<string, HostileForm>();
  const add = (start: string, unit: string, end: string) => {
    if (unit !== '') forms.set(JSON.stringify([start, unit, end]), { start, unit, end });
  };
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const places = [...repetitions(tree.alternatives, sampler, sample)];
    const strange = new Set(places.map(({ repeated }) => sampler.noPump(repeated)));
    for (const { repeated, before, after } of places) {
      for (const pump of sampler.pumps(repeated)) {
        const whole = `${before}${pump}${after}`;
        const ends = [...strange].flatMap((end) => [end, `${end}${whole}`, `${after}${end}`]);
        for (const unit of new Set([pump, `${before}${pump}`, before, whole.slice(0, -1)])) {
          for (const end of ['', after.slice(0, -1), ...ends]) {
            for (const start of ['', before, '\0']) add(start, unit, end);
          }
        }
      }
    }
  }
  if (forms.size === 0) add('', sampler.ofAny(tree.alternatives, 0) || 'a', '\0');
  return [...forms.values()];
}

/** Returns a hostile text of about `length` characters. */
export function hostileText({ start, unit, end }: HostileForm, length: number): string {
  const times = Math.max(1, Math.floor((length - start.length - end.length) / unit.length));
  return start + unit.repeat(times) + end;
}

function* repetitions(
  alternatives: readonly AST.Alternative[],
  sampler: Sampler,
  sample: number,
  before = '',
  after = '',
): Generator<Repetition> {
  for (const { elements } of alternatives) {
    for (const [index, element] of elements.entries()) {
      const head = before + sampler.ofAll(elements.slice(0, index), sample);
      const tail = sampler.ofAll(elements.slice(index + 1), sample) + after;
      const repeated = element.type === 'Quantifier' ? element.element : element;
      if (element.type === 'Quantifier' && element.max > MANY) {
        yield { repeated, before: head, after: tail };
      }
      if ('alternatives' in repeated) {
        yield* repetitions(repeated.alternatives, sampler, sample, head, tail);
      }
    }
  }
}

/** Generates texts that match parts of an expression. */
class Sampler {
  readonly #flags: string;
  readonly #characters: readonly string[];
  readonly #matched = new Map<string, readonly string[]>();

  constructor(tree: AST.Pattern, flags: string) {
    this.#flags = flags.replace(/[gy]/g, '');
    const named: string[] = [];
    visitRegExpAST(tree, {
      onCharacterEnter: ({ value }) => void named.push(String.fromCodePoint(value)),
    });
    this.#characters = [...new Set([...named.reverse(), ...COMMON])];
  }

  /**
   * Returns samples of a repeated part: the characters of a class, or the alternatives of a group.
   */
  pumps(element: AST.Element): readonly string[] {
    if (!('alternatives' in element)) return this.#charactersOf(element).slice(0, MAX_CHARACTERS);
    const samples = Array.from({ length: MAX_CHARACTERS }, (_, sample) => this.of(element, sample));
    return [...new Set(samples)].filter((text) => text !== '');
  }

  /** Returns a character that ends a repetition, which is NUL for a group. */
  noPump(element: AST.Element): string {
    if ('alternatives' in element) return '\0';
    const matched = this.#charactersOf(element);
    return this.#characters.findLast((each) => !matched.includes(each)) ?? '';
  }

  ofAll(elements: readonly AST.Element[], sample: number): string {
    return elements.map((element) => this.of(element, sample)).join('');
  }

  ofAny(alternatives: readonly AST.Alternative[], sample: number): string {
    return this.ofAll(alternatives[sample % alternatives.length]?.elements ?? [], sample);
  }

  of(element: AST.Element, sample: number): string {
    switch (element.type) {
      case 'Assertion':
        return '';
      case 'Backreference':
        return [element.resolved].flat().map((group) => this.of(group, sample))[0] ?? '';
      case 'Quantifier': {
        // odd samples omit optional parts
        const times = Math.max(element.min, sample % 2 === 0 ? Math.min(1, element.max) : 0);
        return this.of(element.element, sample).repeat(times);
      }
      case 'Group':
      case 'CapturingGroup':
        return this.ofAny(element.alternatives, sample);
      default: {
        const characters = this.#charactersOf(element);
        return characters[sample % characters.length] ?? '';
      }
    }
  }

  #charactersOf(element: AST.Element): readonly string[] {
    if (element.type === 'Character') return [String.fromCodePoint(element.value)];
    let matched = this.#matched.get(element.raw);
    if (matched === undefined) {
      const form = new RegExp(`^${element.raw}$`, this.#flags);
      matched = this.#characters.filter((each) => form.test(each));
      this.#matched.set(element.raw, matched);
    }
    return matched;
  }
}
