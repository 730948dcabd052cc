// This module runs on the thread that chooses editions, which choice-thread.ts starts.
import { parentPort } from 'node:worker_threads';
import { EditionReader } from '../../../core/shared/groups/editions.ts';
import { TextChooser } from './candidate-text.ts';
import type { ChoiceReply, ChoiceRequest } from './choice-messages.ts';

/** Knows the names of earlier requests. */
const reader = new EditionReader();
/** Maximum number of preferences whose choosers are kept. */
const maxChoosers = 4;
/** By the preference as JSON. The most recently used one is the last entry. */
const choosers = new Map<string, TextChooser>();

const port = parentPort;
if (!port) throw new Error('choice-worker.ts runs only as a worker thread');
port.on('message', ({ preference, candidates }: ChoiceRequest) => {
  const key = JSON.stringify(preference);
  const chooser = choosers.get(key) ?? new TextChooser(preference, reader);
  choosers.delete(key);
  choosers.set(key, chooser);
  const [oldest] = choosers.keys();
  if (choosers.size > maxChoosers && oldest !== undefined) choosers.delete(oldest);
  const reply: ChoiceReply = chooser.choose(candidates);
  port.postMessage(reply, reply === null ? [] : [reply.chosen.buffer]);
});
