/**
 * Pause after the first view, in milliseconds. It keeps other code from delaying the first covers.
 */
const pauseMs = 2_000;

/** Resolves some time after the first view has loaded. */
export async function afterFirstView(): Promise<void> {
  if (document.readyState !== 'complete') {
    await new Promise((resolve) => addEventListener('load', resolve, { once: true }));
  }
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
}
