import stringWidth from 'string-width'
import { fit } from '../print/layout.js'
import type { Palette } from '../print/palette.js'
import { sanitizeLine } from '../print/sanitize.js'

/** One column of a table. */
export interface TableColumn {
  readonly title: string
  /** Numbers stand at the right. */
  readonly right?: true
  /** Gives way where the line is too long; at most one of a table. */
  readonly flexible?: true
}

/** How a table is set. */
export interface TableOptions {
  /** Columns of the terminal that a line may take. */
  readonly width: number
  readonly palette: Palette
  /** Rows beyond this are counted, not shown. */
  readonly maxRows?: number
}

const INDENT = '  '
const GAP = '  '
/** A flexible column never gets narrower: what is left says nothing any more. */
const NARROWEST = 8

/** Rows under their headings, harmless and no wider than the line. Nothing for no rows. */
export function tableLines(
  columns: readonly TableColumn[],
  rows: readonly (readonly (string | number)[])[],
  { width, palette, maxRows = Number.POSITIVE_INFINITY }: TableOptions,
): string[] {
  if (rows.length === 0) return []
  const shown = rows.slice(0, maxRows).map((row) => columns.map((_column, index) => cellText(row[index])))
  const cells = [columns.map(({ title }) => title), ...shown]
  const widths = columns.map((_column, index) => Math.max(...cells.map((row) => stringWidth(row[index] ?? ''))))
  const flexible = columns.findIndex((column) => column.flexible === true)
  const over = INDENT.length + sum(widths) + GAP.length * (columns.length - 1) - width
  if (flexible !== -1 && over > 0) widths[flexible] = Math.max(NARROWEST, (widths[flexible] ?? 0) - over)
  const lines = cells.map((row, index) => {
    const text = row.map((cell, column) => set(cell, widths[column] ?? 0, columns[column]?.right === true)).join(GAP)
    const line = fit(`${INDENT}${text}`.trimEnd(), width)
    return index === 0 ? palette.dim(line) : line
  })
  const more = rows.length - shown.length
  return more > 0 ? [...lines, palette.dim(`${INDENT}and ${more} more (--json has all)`)] : lines
}

function cellText(cell: string | number | undefined): string {
  return typeof cell === 'string' ? sanitizeLine(cell) : String(cell ?? '')
}

function set(text: string, width: number, right: boolean): string {
  const fitted = fit(text, width)
  const room = ' '.repeat(Math.max(0, width - stringWidth(fitted)))
  return right ? `${room}${fitted}` : `${fitted}${room}`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
