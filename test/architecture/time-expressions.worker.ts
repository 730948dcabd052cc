import { parentPort, workerData } from 'node:worker_threads';
import { type HostileForm, hostileForms, hostileText } from './hostile-texts.ts';
import type { SourceExpression } from './source-expressions.ts';

// Measures the time of expressions on hostile texts of growing length. Posts `ready`. Then posts
// `{ fault }` for each expression in order; `fault` is a text, or null if there is no fault.

/**
 * The steps of a measurement. `length` is in characters. `maxMs` is the maximum time of a linear
 * expression, in milliseconds. `keptForms` is the number of forms that continue with the next
 * step; the slowest forms continue.
 */
const steps = [
  { length: 22, maxMs: 2, keptForms: Number.POSITIVE_INFINITY },
  { length: 250, maxMs: 3, keptForms: Number.POSITIVE_INFINITY },
  { length: 1_000, maxMs: 4, keptForms: 60 },
  { length: 8_000, maxMs: 10, keptForms: 12 },
  { length: 100_000, maxMs: 50, keptForms: 0 },
] as const;
/** Maximum number of runs until one is within the limit. */
const TRIES = 10;
/**
 * A run whose CPU time exceeds the limit by this factor is not repeated, because garbage collection
 * cannot be the cause.
 */
const FAR_MORE = 4;

parentPort?.postMessage('ready');
for (const expression of workerData as readonly SourceExpression[]) {
  parentPort?.postMessage({ fault: faultOf(expression) });
}

function faultOf({ source, flags, isSplitBy }: SourceExpression): string | null {
  const regex = new RegExp(source, flags);
  const run = isSplitBy ? (text: string) => text.split(regex) : runOf(regex);
  let forms = hostileForms(source, flags);
  for (const { length, maxMs, keptForms } of steps) {
    const times = new Map<HostileForm, number>();
    for (const form of forms) {
      const text = hostileText(form, length);
      const ms = minTime(() => run(text), maxMs);
      if (ms > maxMs) return `${ms.toFixed(0)} ms for ${length} characters like ${shown(form)}`;
      times.set(form, ms);
    }
    const slowestFirst = [...times].sort(([, a], [, b]) => b - a);
    forms = slowestFirst.slice(0, keptForms).map(([form]) => form);
  }
  return null;
}

/**
 * Returns a function that runs the expression as the code does. The function finds all matches if
 * the expression is global or sticky.
 */
function runOf(regex: RegExp): (text: string) => void {
  if (regex.global) return (text) => text.replace(regex, '');
  if (!regex.sticky) return (text) => regex.exec(text);
  return (text) => {
    regex.lastIndex = 0;
    while (regex.exec(text)?.[0]);
  };
}

/**
 * Returns the shortest duration of several runs, in milliseconds. Compilation, garbage collection
 * and other work on the machine slow down some of the runs. The CPU time alone is not enough: some
 * kernels count it in steps of 4 ms, which are too coarse to show which forms are slow.
 */
function minTime(work: () => void, maxMs: number): number {
  let min = Number.POSITIVE_INFINITY;
  for (let i = 0; i < TRIES && min > maxMs; i += 1) {
    const cpuBefore = process.threadCpuUsage();
    const before = performance.now();
    work();
    const ms = performance.now() - before;
    const { user, system } = process.threadCpuUsage(cpuBefore);
    min = Math.min(min, ms);
    if (Math.min(ms, (user + system) / 1000) > FAR_MORE * maxMs) break;
  }
  return min;
}

function shown({ start, unit, end }: HostileForm): string {
  return `${JSON.stringify(start)} + ${JSON.stringify(unit)} many times + ${JSON.stringify(end)}`;
}
