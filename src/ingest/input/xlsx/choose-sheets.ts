/**
 * Which sheets of a workbook contain the list, and how they are combined: sheets that the source names are side by
 * side; otherwise the visible ones with a header of the source follow each other, like the members of a zip. Hidden
 * sheets are ignored: they contain old versions, or the values of a menu.
 */

import type { HeaderGeneration } from '../../../../config/sources/source.ts'
import { quoted } from '../../../domain/visible.ts'
import { AppError } from '../../../errors.ts'
import { findMatch, sameColumn } from '../../header-match.ts'
import type { SheetRow } from './sheet-rows.ts'

export interface Sheet {
  readonly name: string
  readonly part: string
  readonly isHidden: boolean
}

export interface ListSheet {
  readonly sheet: Sheet
  readonly header: SheetRow
}

/** What a source declares about its workbooks. */
export interface WorkbookShape {
  /** Names of the sheets that contain it, if they have fixed names. */
  readonly sheets?: readonly string[] | undefined
  /** Without these, the first visible sheet is read, whatever it contains. */
  readonly generations?: readonly HeaderGeneration[] | undefined
  /** Nothing will be ingested: the first list suffices for identification, whatever the other sheets contain. */
  readonly isLookedAt?: boolean | undefined
}

export interface ChosenSheets {
  readonly lists: readonly ListSheet[]
  readonly together: 'side by side' | 'one after the other'
}

/** @throws AppError HEADER_MISMATCH if two visible sheets have the list with different headers */
export async function chooseSheets(
  sheets: readonly Sheet[],
  { sheets: names = [], generations, isLookedAt = false }: WorkbookShape,
  findHeader: (sheet: Sheet) => Promise<SheetRow | undefined>,
  label: string,
): Promise<ChosenSheets> {
  const named = sheets.filter(({ name }) => names.includes(name))
  if (named.length > 0) return { lists: await findLists(named, findHeader), together: 'side by side' }
  const shown = sheets.filter(({ isHidden }) => !isHidden)
  const candidates = shown.length > 0 ? shown : sheets
  const lists = generations === undefined ? [] : await findLists(candidates, findHeader)
  const fitting = lists.filter(({ header }) => findMatch({ generations: generations ?? [] }, header.cells))
  const [first, ...others] = fitting
  const together = 'one after the other'
  // Read nevertheless: comparing the header with the source gives the best error message.
  if (first === undefined) return { lists: await findLists(candidates.slice(0, 1), findHeader), together }
  if (isLookedAt) return { lists: [first], together }
  for (const { sheet, header } of others) {
    if (sameHeader(first.header.cells, header.cells)) continue
    throw new AppError(
      'HEADER_MISMATCH',
      `${label}: the sheet ${quoted(sheet.name)} has another header than ${quoted(first.sheet.name)}; ` +
        'save them as files of their own and ingest them one by one.',
    )
  }
  return { lists: fitting, together }
}

async function findLists(
  sheets: readonly Sheet[],
  findHeader: (sheet: Sheet) => Promise<SheetRow | undefined>,
): Promise<ListSheet[]> {
  const lists: ListSheet[] = []
  for (const sheet of sheets) {
    const header = await findHeader(sheet)
    if (header) lists.push({ sheet, header })
  }
  return lists
}

const sameHeader = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((name, index) => sameColumn(name, other[index] ?? ''))
