/** Imports of a CSV file: good rows are written at once, the others are listed with their line and fault. */
import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import type { WireAnswer } from '../kit.ts'
import { faultOfInput, textOf } from './records.ts'
import { notFound, validationError } from './replies.ts'
import { findBy, type SandboxState, type StoredImport, store } from './state.ts'

const objectByType: Readonly<Record<string, string>> = { '0-1': 'contacts', '0-2': 'companies' }

const Request = z.object({
  name: z.string().default('import'),
  files: z
    .array(
      z.object({
        fileFormat: z.literal('CSV').default('CSV'),
        fileImportPage: z.object({
          hasHeader: z.literal(true),
          columnMappings: z
            .array(
              z.object({
                columnObjectTypeId: z.enum(['0-1', '0-2']),
                columnName: z.string(),
                propertyName: z.string().nullable(),
              }),
            )
            .min(1),
        }),
      }),
    )
    .length(1),
})

/** @param parts of the multipart body: `importRequest` and `files`. */
export function createImport(state: SandboxState, parts: ReadonlyMap<string, string>): WireAnswer {
  const parsed = Request.safeParse(jsonOf(parts.get('importRequest')))
  if (!parsed.success) return validationError(`Invalid import request: ${z.prettifyError(parsed.error)}`)
  const [file] = parsed.data.files
  const mappings = file?.fileImportPage.columnMappings ?? []
  const object = objectByType[mappings[0]?.columnObjectTypeId ?? ''] ?? ''
  const known = new Set(state.properties[object]?.map(({ name }) => name))
  const unknown = mappings.find(({ propertyName }) => propertyName !== null && !known.has(propertyName))
  if (unknown) return validationError(`Property ${unknown.propertyName} does not exist`)
  const done = run(state, object, parsed.data.name, mappings, parts.get('files') ?? '')
  state.imports.push(done)
  return { status: 200, body: shownImport(done) }
}

interface Mapping {
  readonly columnName: string
  readonly propertyName: string | null
}

function run(
  state: SandboxState,
  object: string,
  name: string,
  mappings: readonly Mapping[],
  text: string,
): StoredImport {
  const [header = [], ...rows] = parse(text, { relax_column_count: true, skip_empty_lines: true })
  let [created, updated] = [0, 0]
  const errors: unknown[] = []
  const id = String(state.nextId++)
  rows.forEach((row, n) => {
    const cells = mappings.flatMap(({ columnName, propertyName }) =>
      propertyName === null ? [] : [[propertyName, textOf(row[header.indexOf(columnName)])] as const],
    )
    const properties = Object.fromEntries(cells)
    const email = properties['email'] ?? ''
    const present = object === 'contacts' && email !== '' ? findBy(state, object, 'email', email) : undefined
    const fault = faultOfInput(state, object, { id: present?.id ?? '', idProperty: 'hs_object_id', properties })
    if (fault) {
      const errorType = /"error":"([A-Z_]+)"/.exec(fault.message)?.[1] ?? 'DUPLICATE_UNIQUE_PROPERTY_VALUE'
      const sourceData = { fileId: Number(id), lineNumber: n + 2, rowData: row, containsEncryptedProperties: false }
      errors.push({ id: `${id}${n}`, createdAt: Date.now(), errorType, errorMessage: fault.message, sourceData })
      return
    }
    store(state, object, present, properties)
    if (present) updated += 1
    else created += 1
  })
  return { id, name, createdAt: new Date().toISOString(), rows: rows.length, created, updated, errors }
}

function shownImport({ id, name, createdAt, rows, created, updated, errors }: StoredImport) {
  const counters = { TOTAL_ROWS: rows, CREATED_OBJECTS: created, UPDATED_OBJECTS: updated, ERRORS: errors.length }
  const metadata = { objectLists: [], counters, fileIds: [id] }
  const flags = { optOutImport: false, mappedObjectTypeIds: [] }
  return { id, importName: name, state: 'DONE', createdAt, updatedAt: createdAt, metadata, ...flags }
}

export function readImports(state: SandboxState, rest: string): WireAnswer {
  if (rest === '') return { status: 200, body: { results: state.imports.map(shownImport) } }
  const [id, part] = rest.split('/')
  const found = state.imports.find((each) => each.id === id)
  if (!found || (part !== undefined && part !== 'errors')) return notFound(`No import ${rest}`)
  return { status: 200, body: part === 'errors' ? { results: found.errors } : shownImport(found) }
}

function jsonOf(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

/** The parts of a multipart body by name, files as text. */
export async function readParts(contentType: string, text: string): Promise<ReadonlyMap<string, string>> {
  const form = await new Response(text, { headers: { 'content-type': contentType } }).formData()
  const parts = new Map<string, string>()
  for (const [name, part] of form.entries()) parts.set(name, typeof part === 'string' ? part : await part.text())
  return parts
}
