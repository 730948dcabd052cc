/** A command, and the words that a shell can complete after the command. */
export interface CompletionContext {
  /**
   * The command as typed after `catalog`, including its parent commands, such as `users add`; ""
   * for `catalog` itself.
   */
  readonly path: string;
  readonly words: readonly { readonly word: string; readonly meaning: string }[];
}

/** Returns the completion script for bash. If no word matches, the shell completes file names. */
export function bashCompletion(all: readonly CompletionContext[]): string[] {
  return [
    '# catalog, for bash: source <(catalog completion bash)',
    '_catalog() {',
    "  local path='' words='' i",
    '  for ((i = 1; i < COMP_CWORD; i++)); do',
    '    case "$path $' + '{COMP_WORDS[i]}" in',
    `      ${patternsOf(all)}) path="$path \${COMP_WORDS[i]}" ;;`,
    '    esac',
    '  done',
    '  case "$path" in',
    ...all.map(
      ({ path, words }) => `    ${quoted(prefixed(path))}) words=${quoted(listOf(words))} ;;`,
    ),
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$' + '{COMP_WORDS[COMP_CWORD]}"))',
    '}',
    'complete -o default -F _catalog catalog',
  ];
}

/**
 * Returns the completion script for zsh. Users store it as a file `_catalog` in the function search
 * path, or source it after compinit.
 */
export function zshCompletion(all: readonly CompletionContext[]): string[] {
  return [
    '#compdef catalog',
    '# catalog, for zsh: catalog completion zsh > "$' + '{fpath[1]}/_catalog"',
    '_catalog() {',
    "  local path_='' i",
    '  local -a found',
    '  for ((i = 2; i < CURRENT; i++)); do',
    '    case "$path_ $words[i]" in',
    `      ${patternsOf(all)}) path_="$path_ $words[i]" ;;`,
    '    esac',
    '  done',
    '  case "$path_" in',
    ...all.map(({ path, words }) => {
      const found = words.map((each) => quoted(`${each.word}:${each.meaning}`));
      return `    ${quoted(prefixed(path))}) found=(${found.join(' ')}) ;;`;
    }),
    '  esac',
    "  _describe 'catalog' found || _files",
    '}',
    'if [ "$funcstack[1]" = _catalog ]; then _catalog "$@"; else compdef _catalog catalog; fi',
  ];
}

/** Returns the completion script for fish. */
export function fishCompletion(all: readonly CompletionContext[]): string[] {
  return [
    '# catalog, for fish: catalog completion fish | source',
    'function __catalog_path',
    "  set -l path ''",
    '  for word in (commandline -opc)[2..-1]',
    '    switch "$path $word"',
    ...pathsOf(all).map((path) => `      case ${quoted(path)}\n        set path "$path $word"`),
    '    end',
    '  end',
    '  echo "x$path"',
    'end',
    ...all.flatMap(({ path, words }) =>
      words.map(({ word, meaning }) => {
        const what = word.startsWith('--')
          ? `-l ${quoted(word.slice(2))}`
          : `-f -a ${quoted(word)}`;
        const when = quoted(`test (__catalog_path) = "x${prefixed(path)}"`);
        return `complete -c catalog -n ${when} ${what} -d ${quoted(meaning)}`;
      }),
    ),
  ].flatMap((line) => line.split('\n'));
}

/** Returns the paths of all commands except `catalog` itself, with a space before each word. */
function pathsOf(all: readonly CompletionContext[]): string[] {
  return all.filter(({ path }) => path !== '').map(({ path }) => prefixed(path));
}

function patternsOf(all: readonly CompletionContext[]): string {
  return pathsOf(all).map(quoted).join(' | ');
}

const prefixed = (path: string) => (path === '' ? '' : ` ${path}`);

const listOf = (words: CompletionContext['words']) => words.map(({ word }) => word).join(' ');

/**
 * Encloses a text in single quotes, which all three shells accept. Replaces single quotes and
 * backslashes in the text by similar characters. The replacement is harmless, because the texts are
 * only words to complete and descriptions.
 */
const quoted = (text: string) => `'${text.replaceAll("'", '’').replaceAll('\\', '/')}'`;
