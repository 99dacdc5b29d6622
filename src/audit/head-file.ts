/**
 * The newest head of the chain, in a file of the data directory: someone who can change the database but not the
 * machine cannot truncate the audit log unnoticed. Written atomically; a head that the chain no longer contains is
 * never overwritten.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../db/whole-file.ts'
import { codeOf } from '../domain/fault-code.ts'
import type { ChainHead } from './chain.ts'

const pathOf = (dataDir: string): string => join(dataDir, 'audit-head.json')

/** @returns undefined where none is stored yet, or the file is invalid. */
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
