/** Validates the input of a schedule before it is stored, while its author can read the error. */
import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { sources } from '../../../config/sources/index.ts'
import { bareAddress } from '../../domain/bare-address.ts'
import { counted } from '../../domain/counted.ts'
import { AppError } from '../../errors.ts'
import { hasWildcard, pathOf } from './drop-folder/drop-folder.ts'

export interface ScheduledInput {
  readonly source: string
  readonly input: string
}

/**
 * @param isHere false if workers may run on other machines, whose folders cannot be checked from here.
 * @returns the input as a worker reads it, whatever its working directory.
 * @throws AppError BAD_REQUEST listing every error.
 */
export async function checkScheduledInput({ source, input }: ScheduledInput, isHere: boolean): Promise<ScheduledInput> {
  const names = sources.map((each) => each.name)
  const faults = names.includes(source) ? [] : [`source: "${source}" is none of ${names.join(', ')}`]
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(input)?.[1]?.toLowerCase()
  if (input.trim() === '') faults.push('input: name a file, a folder, a pattern like /srv/drop/*.csv, or an address')
  else if (scheme === 'http' || scheme === 'https') {
    if (!URL.canParse(input)) faults.push(`input: "${bareAddress(input)}" is no address that can be read`)
  } else if (scheme !== undefined && scheme !== 'file') {
    faults.push(`input: ${scheme}: is not fetched; give a path, or a file:, http: or https: address`)
  } else faults.push(...(await pathFaults(pathOf(input), input.endsWith('/'), isHere)))
  if (faults.length > 0) {
    throw new AppError('BAD_REQUEST', `The schedule has ${counted(faults.length, 'fault')}:\n  ${faults.join('\n  ')}`)
  }
  if (scheme !== undefined) return { source, input }
  return { source, input: isHere ? await readRealPath(pathOf(input)) : pathOf(input) }
}

/**
 * Workers follow no links, so those in the path are resolved now, with the author's rights. A file may be created
 * later.
 */
async function readRealPath(path: string): Promise<string> {
  const found = await realpath(path).catch(() => undefined)
  if (found !== undefined) return found
  const folder = await realpath(dirname(path)).catch(() => dirname(path))
  return join(folder, basename(path))
}

/** A file may be published later; a folder must exist to be watched. */
async function pathFaults(path: string, isFolderMeant: boolean, isHere: boolean): Promise<string[]> {
  const folder = dirname(path)
  if (hasWildcard(folder)) {
    return [`input: "${path}" has a wildcard in a folder; * and ? are only allowed in the last part`]
  }
  if (!isHere) return []
  const found = await stat(path).catch(() => undefined)
  const isWatched = isFolderMeant || found?.isDirectory() === true
  const watched = isWatched ? path : !found && hasWildcard(basename(path)) ? folder : undefined
  if (watched === undefined) return []
  const isFolder = (await stat(watched).catch(() => undefined))?.isDirectory() === true
  if (!isFolder) return [`input: there is no folder ${watched}; make it first, or fix the path`]
  const mayWrite = await access(watched, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  return mayWrite ? [] : [`input: ${watched} must be writable, since Panji removes the files that it took from it`]
}
