/**
 * The configuration file, `panji.json` in the data directory or at PANJI_CONFIG. A process and every command on its
 * data read the same one. A variable of the environment takes precedence.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { configFileName } from '../../config/config-file.ts'
import { faultWords } from '../domain/fault-words.ts'
import { fileMembers, type MemberKind } from './file-members.ts'

export interface ConfigFile {
  /** Variable → its value as the environment would have it. */
  readonly values: Readonly<Record<string, string>>
  readonly faults: readonly string[]
}

const bytesMax = 65_536
const faulty = (fault: string): ConfigFile => ({ values: {}, faults: [fault] })

const text = z.string().max(2_000)
const kinds: Readonly<Record<MemberKind, z.ZodType<string>>> = {
  text,
  number: z.number().transform(String).pipe(text),
  switch: z.boolean().transform(String).pipe(text),
  list: z
    .array(text.regex(/^[^,]*$/, 'must be texts without commas'))
    .transform((texts) => texts.join(','))
    .pipe(z.string()),
}

const ConfigSchema = z.strictObject(
  Object.fromEntries(
    Object.entries(fileMembers).map(([section, members]) => [
      section,
      z
        .strictObject(
          Object.fromEntries(Object.entries(members).map(([name, { kind }]) => [name, kinds[kind].optional()])),
        )
        .optional(),
    ]),
  ),
)

/** Never throws: its faults are reported together with those of the environment. */
export function readConfigFile(env: Readonly<Record<string, string | undefined>>): ConfigFile {
  const path = env['PANJI_CONFIG'] || join(env['PANJI_DATA_DIR'] || '.panji', configFileName)
  const read = readText(path)
  if (typeof read !== 'string') {
    const isThere = Boolean(env['PANJI_CONFIG']) || !['ENOENT', 'ENOTDIR'].includes(read.reason)
    return isThere ? faulty(`${path}: cannot be read (${read.reason})`) : { values: {}, faults: [] }
  }
  try {
    return membersIn(path, JSON.parse(read))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return faulty(`${path}: is not valid JSON: ${error.message}`)
  }
}

function readText(path: string): string | { readonly reason: string } {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    if (fstatSync(file).size > bytesMax) return { reason: `it has more than ${bytesMax} bytes` }
    const bytes = Buffer.alloc(bytesMax)
    // Without the mark with which editors on Windows begin a text.
    return bytes
      .subarray(0, readSync(file, bytes))
      .toString('utf8')
      .replace(/^\ufeff/, '')
  } catch (error) {
    return { reason: error instanceof Error && 'code' in error ? String(error.code) : 'unreadable' }
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function membersIn(path: string, parsedFile: unknown): ConfigFile {
  const parsed = ConfigSchema.safeParse(parsedFile, { error: faultWords })
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => [path, ...[issue.path.join('.')].filter(Boolean), issue.message])
    return { values: {}, faults: faults.map((parts) => parts.join(': ')) }
  }
  const values = Object.entries(parsed.data).flatMap(([section, members = {}]) =>
    Object.entries(members).flatMap(([name, value]): [string, string][] => {
      const variable = fileMembers[section]?.[name]?.variable
      return variable === undefined || value === undefined ? [] : [[variable, value]]
    }),
  )
  return { values: Object.fromEntries(values), faults: [] }
}
