import { SETTINGS } from '../../src/cli/config/settings.js'
import { ENVIRONMENT } from '../../src/cli/environment-names.js'
import { ENSO_REFUSAL_CODES } from '../../src/core/index.js'
import { GUARD_RULE_TABLE } from '../../src/host/extensions/guards/rule-table.js'
import { describedRoutes } from '../../src/server/routes/described.js'
import { operations } from '../../src/thread/operations.js'
import { BENCH_TABLES } from './bench-tables.js'

const TABLE = /(<!-- table:(\w[\w-]*) -->\n)[\s\S]*?(<!-- \/table -->)/g

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')

/** Every table that is made from source, by the name in its `<!-- table:NAME -->` mark. */
export const TABLES: Readonly<Record<string, () => string>> = {
  ...BENCH_TABLES,
  operations: () =>
    table(
      ['operation', 'route', 'success', 'refusals'],
      operations.map((operation) => [
        `\`${operation.name}\``,
        `\`${operation.method} ${operation.path}\``,
        String(operation.success),
        operation.refusals.map((code) => `\`${code}\``).join(', '),
      ]),
    ),
  'guard-rules': () =>
    table(
      ['rule', 'refuses', 'instead'],
      GUARD_RULE_TABLE.map(({ rule, refuses, instead }) => [`\`${rule}\``, refuses, instead]),
    ),
  routes: () =>
    table(
      ['route', 'success', 'what it does'],
      describedRoutes().map(({ method, path, success, events, summary }) => [
        `\`${method} ${path}\``,
        events === true ? `${success.join(', ')}, events` : success.join(', '),
        summary,
      ]),
    ),
  settings: () =>
    table(
      ['setting', 'environment', 'flag', 'default', 'what it is'],
      SETTINGS.map(({ key, env, flag, standard, otherwise, about }) => [
        `\`${key}\``,
        env === undefined ? '' : `\`${env}\``,
        flag === undefined ? '' : `\`--${flag}\``,
        otherwise ?? (Array.isArray(standard) ? 'none' : `\`${String(standard)}\``),
        about,
      ]),
    ),
  environment: () =>
    table(
      ['variable', 'what it says'],
      ENVIRONMENT.map(([names, meaning]) => [
        names
          .split(', ')
          .map((name) => `\`${name}\``)
          .join(', '),
        meaning,
      ]),
    ),
  refusals: () =>
    table(
      ['code', 'HTTP status'],
      Object.entries(ENSO_REFUSAL_CODES).map(([code, status]) => [`\`${code}\``, String(status)]),
    ),
}

/** The names of the generated tables a page holds. */
export function tablesOf(markdown: string): string[] {
  return [...markdown.matchAll(TABLE)].map((match) => match[2] ?? '')
}

/** The page with every generated table as its source has it now. */
export function refreshTables(markdown: string): string {
  return markdown.replace(TABLE, (whole, head: string, name: string, tail: string) => {
    const make = TABLES[name]
    return make === undefined ? whole : `${head}${make()}\n${tail}`
  })
}
