import { language } from '../language/language.svelte.ts';

// Everything happens in the browser; the server sends one empty page for every address.
export const ssr = false;
export const prerender = false;

export async function load(): Promise<void> {
  await language.load().catch(() => {}); // English then
}
