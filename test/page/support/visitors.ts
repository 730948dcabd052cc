import type { BrowserContextOptions } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { leave, type Visitor, visit } from './browser.ts';
import { passwordOf, type TestServer } from './test-server.ts';

type Served = Pick<TestServer, 'url'>;

export type VisitorRole = 'anonymous' | 'user' | 'editor' | 'admin';

type StorageState = Exclude<BrowserContextOptions['storageState'], string | undefined>;
const signedIn = new WeakMap<Served, Map<VisitorRole, Promise<StorageState>>>();

/**
 * Opens a visitor with this role for the duration of the test. The test fails if a fault was
 * recorded in the browser, or if a dialog opened. Visitors with the same role share one session.
 * Tests of signing out sign in with the form instead.
 */
export async function openPage(
  server: Served,
  role: VisitorRole,
  { width = 1440, ...options }: BrowserContextOptions & { readonly width?: number } = {},
): Promise<Visitor> {
  const visitor = await openVisitor(server, role, {
    viewport: { width, height: width < 500 ? 780 : 900 },
    ...options,
  });
  onTestFinished(() => leave(visitor));
  return visitor;
}

/** Opens a visitor like `openPage`. The caller must close the visitor. */
export async function openVisitor(
  server: Served,
  role: VisitorRole,
  options: BrowserContextOptions,
): Promise<Visitor> {
  const storageState = role === 'anonymous' ? undefined : await stateOf(server, role);
  const visitor = await visit(server.url, { ...options, ...(storageState && { storageState }) });
  visitor.page.on('dialog', (dialog) => {
    if (dialog.type() !== 'beforeunload') visitor.faults.push(`a name ran: ${dialog.message()}`);
    void dialog.accept();
  });
  return visitor;
}

function stateOf(server: Served, role: Exclude<VisitorRole, 'anonymous'>): Promise<StorageState> {
  const ofServer = signedIn.get(server) ?? new Map<VisitorRole, Promise<StorageState>>();
  signedIn.set(server, ofServer);
  const known = ofServer.get(role) ?? signInOnce(server, role);
  ofServer.set(role, known);
  return known;
}

async function signInOnce(
  server: Served,
  role: Exclude<VisitorRole, 'anonymous'>,
): Promise<StorageState> {
  const visitor = await visit(server.url);
  const data = { username: role, password: passwordOf(role), cookie: true };
  const response = await visitor.context.request.post('/api/auth/login', { data });
  if (!response.ok()) throw new Error(`${role} is not signed in: ${response.status()}`);
  const state = await visitor.context.storageState();
  await leave(visitor);
  return state;
}
