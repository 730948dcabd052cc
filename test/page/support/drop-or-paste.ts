import type { Page } from 'playwright-core';

interface TransferredFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
  /** Number of zero bytes to append to `bytes`. */
  readonly padding?: number;
}

/** Drops a file on an element or pastes it there, with the same events as in a browser. */
export async function dropOrPaste(
  page: Page,
  how: 'drop' | 'paste',
  on: string,
  { name, type, bytes, padding = 0 }: TransferredFile,
): Promise<void> {
  await page.evaluate(dispatchFileEvent, {
    how,
    on,
    name,
    type,
    base64: bytes.toString('base64'),
    padding,
  });
}

interface TransferOptions {
  readonly how: 'drop' | 'paste';
  readonly on: string;
  readonly name: string;
  readonly type: string;
  readonly base64: string;
  readonly padding: number;
}

/** Dispatches the events. Runs in the page. */
function dispatchFileEvent({ how, on, name, type, base64, padding }: TransferOptions): void {
  const bytes = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
  const data = new DataTransfer();
  data.items.add(new File([bytes, new Uint8Array(padding)], name, { type }));
  const options = { bubbles: true, cancelable: true };
  const event =
    how === 'drop'
      ? new DragEvent('drop', { ...options, dataTransfer: data })
      : new ClipboardEvent('paste', { ...options, clipboardData: data });
  document.querySelector(on)?.dispatchEvent(event);
}
