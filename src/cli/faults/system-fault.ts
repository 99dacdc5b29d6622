/**
 * Errors of the operating system as sentences: `mkdir` of a path below a file, a folder read as a file, a full disk.
 */

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EEXIST: 'a file of that name already exists',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied for this user',
  EPERM: 'permission denied for this user',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EIO: 'the device failed',
  EDQUOT: "this user's disk quota is used up",
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its links form a loop',
  EMFILE: 'this process has too many files open',
}

/** @returns the reason without the path; undefined for anything but an error of the file system. */
export function systemReason(error: unknown): string | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException
  return typeof syscall === 'string' && code !== undefined ? reasons[code] : undefined
}

/** @returns why a file could not be read or written, as text where possible. */
export const fileReason = (error: unknown): string =>
  systemReason(error) ?? (error as NodeJS.ErrnoException).code ?? 'the file system refused it'

/** @returns a sentence with the path; undefined for anything else. */
export function systemFault(error: unknown): string | undefined {
  const reason = systemReason(error)
  const { path, syscall } = error as NodeJS.ErrnoException
  if (reason === undefined) return undefined
  return `${path === undefined ? `The call ${syscall}` : path} failed: ${reason}.`
}
