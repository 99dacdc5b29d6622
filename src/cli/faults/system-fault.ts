/** A refusal of the operating system as a sentence: `mkdir` of a path below a file, a folder read as a file, a full disk. */

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EEXIST: 'a file of that name is there already',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not do that there',
  EPERM: 'this user may not do that there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EIO: 'the device failed',
  EDQUOT: "this user's quota of the disk is used up",
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its links lead in a circle',
  EMFILE: 'this process has too many files open',
}

/** @returns why, without the path; undefined for anything but a refusal of the file system. */
export function systemReason(error: unknown): string | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException
  return typeof syscall === 'string' && code !== undefined ? reasons[code] : undefined
}

/** @returns why a file could not be read or written, in words wherever there are some. */
export const fileReason = (error: unknown): string =>
  systemReason(error) ?? (error as NodeJS.ErrnoException).code ?? 'the file system refused it'

/** @returns a sentence with the path; undefined for anything else. */
export function systemFault(error: unknown): string | undefined {
  const reason = systemReason(error)
  const { path, syscall } = error as NodeJS.ErrnoException
  if (reason === undefined) return undefined
  return `${path === undefined ? `The call ${syscall}` : path} failed: ${reason}.`
}
