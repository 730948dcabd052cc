// This module runs on the thread that chooses editions, which choice-thread.ts starts.
import { parentPort } from 'node:worker_threads';
import { EditionReader } from '../../../core/shared/groups/editions.ts';
import { TextChooser } from './candidate-text.ts';
import type { ChoiceReply, ChoiceRequest } from './choice-messages.ts';

/** Shared by all requests, because it caches names that it has parsed. */
const reader = new EditionReader();
/** Maximum number of cached choosers. */
const maxChoosers = 4;
/**
 * The cached choosers, by the JSON of their preference. The most recently used chooser is the last
 * entry.
 */
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
