/**
 * The newest head of the chain, in a file of the data directory: whoever can change the database, and not the machine, cuts
 * nothing from the end of the audit log without this telling. Written whole or not at all; a head that the chain does not
 * contain any more is never written over.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../db/whole-file.ts'
import { codeOf } from '../domain/fault-code.ts'
import type { ChainHead } from './chain.ts'

const pathOf = (dataDir: string): string => join(dataDir, 'audit-head.json')

/** @returns undefined where none was kept yet, or the file is none. */
export function readHeadFile(dataDir: string): ChainHead | undefined {
  let text: string
  try {
    text = readFileSync(pathOf(dataDir), 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
  const match = /^\{"seq":(\d{1,15}),"hash":"([0-9a-f]{64})"\}\n$/.exec(text)
  return match?.[2] === undefined ? undefined : { seq: Number(match[1]), hash: match[2] }
}

export function writeHeadFile(dataDir: string, { seq, hash }: ChainHead): void {
  writeWhole(pathOf(dataDir), `${JSON.stringify({ seq, hash })}\n`)
}
