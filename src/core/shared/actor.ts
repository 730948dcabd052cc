/** Who does something; every writing operation takes one and every write records it. */
export type Actor =
  | {
      readonly kind: 'user';
      readonly userId: number;
      readonly username: string;
      readonly address: string;
    }
  | { readonly kind: 'cli'; readonly username: string }
  | { readonly kind: 'system' };
