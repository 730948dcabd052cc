import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'svelte/compiler';
import ts from 'typescript';

/** A regular expression in a source file. */
export interface SourceExpression {
  /** File and line, such as `src/a.ts:12`. */
  readonly place: string;
  readonly source: string;
  readonly flags: string;
  readonly isSplitBy: boolean;
}

/**
 * Files that build the expressions of route parameters. The expressions are collected where the
 * routes are defined.
 */
const built = ['src/http/shared/server/allowed-methods.ts'];

/**
 * Returns all regular expressions in these folders, in the order of the files. An expression can
 * be:
 * - a literal
 * - a `new RegExp` of a text
 * - a `pattern` in a JSON schema
 * - a `:name(expression)` in a route
 * Throws for a `new RegExp` of a text that is not in the source.
 */
export function expressionsBelow(root: string, folders: readonly string[]): SourceExpression[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path}`)
      .sort()
      .flatMap((path) => {
        if (path.endsWith('.ts')) return inTypeScript(path, readFileSync(join(root, path), 'utf8'));
        if (path.endsWith('.svelte')) return inSvelte(path, readFileSync(join(root, path), 'utf8'));
        return [];
      }),
  );
}

function inTypeScript(path: string, text: string): SourceExpression[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: SourceExpression[] = [];
  const add = (node: ts.Node, source: string, flags: string, isSplitBy = false) => {
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    found.push({ place: `${path}:${line}`, source, flags, isSplitBy });
  };
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      add(node, node.text.slice(1, end), node.text.slice(end + 1), isSplitBy(node));
    } else if (isBuilt(node) && !built.includes(path)) {
      const [source, flags] = (node.arguments ?? []).map((each) => textOf(each, file));
      if (source === undefined) throw new Error(`${path}: cannot read ${node.getText()}`);
      add(node, source, flags ?? '', isSplitBy(node));
    } else if (ts.isPropertyAssignment(node) && node.name.getText() === 'pattern') {
      const source = textOf(node.initializer, file);
      if (source !== undefined) add(node, source, 'u');
    } else if (ts.isStringLiteral(node) && path.startsWith('src/http/')) {
      const [, source] = /^:\w+\((.+)\)$/.exec(node.text) ?? [];
      if (source !== undefined) add(node, source, '');
    }
  };
  visit(file);
  return found;
}

function isBuilt(node: ts.Node): node is ts.NewExpression | ts.CallExpression {
  const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
  return isCall && node.expression.getText() === 'RegExp';
}

function isSplitBy({ parent }: ts.Node): boolean {
  if (!ts.isCallExpression(parent) || !ts.isPropertyAccessExpression(parent.expression))
    return false;
  return parent.expression.name.text === 'split';
}

/**
 * Returns the text of an expression. `x` replaces each part of a template that is known only at run
 * time.
 */
function textOf(node: ts.Expression, file: ts.SourceFile): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTaggedTemplateExpression(node)) return node.template.getText().slice(1, -1);
  if (ts.isTemplateExpression(node)) {
    const spans = node.templateSpans.map(
      ({ expression, literal }) => (textOf(expression, file) ?? 'x') + literal.text,
    );
    return node.head.text + spans.join('');
  }
  if (!ts.isIdentifier(node)) return undefined;
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (name.getText() === node.text && initializer) return textOf(initializer, file);
    }
  }
  return undefined;
}

function inSvelte(path: string, text: string): SourceExpression[] {
  const found: SourceExpression[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { start, regex, callee } = node as {
      start?: number;
      regex?: { pattern: string; flags: string };
      callee?: { name?: string };
    };
    if (callee?.name === 'RegExp') throw new Error(`${path}: cannot read new RegExp`);
    if (regex !== undefined) {
      const place = `${path}:${text.slice(0, start).split('\n').length}`;
      found.push({ place, source: regex.pattern, flags: regex.flags, isSplitBy: false });
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(parse(text, { modern: true }));
  return found;
}
