/** Whether a disk has room for the next import: bytes, and on most file systems a number of files as well. */

const gibMin = 2
/** An import makes some hundred files of tables and indexes, the queue's parts beside them. */
const filesMin = 2_000

interface DiskFigures {
  readonly bavail: number
  readonly bsize: number
  /** 0 where the file system does not count them. */
  readonly files: number
  readonly ffree: number
}

export function diskRoom({ bavail, bsize, files, ffree }: DiskFigures): {
  readonly ok: boolean
  readonly said: string
} {
  const gib = (bavail * bsize) / 2 ** 30
  const lacksFiles = files > 0 && ffree < filesMin
  const said = [
    `${gib.toFixed(1)} GiB free`,
    ...(lacksFiles ? [`room for ${ffree} more files (\`df -i\`)`] : []),
    ...(gib > gibMin && !lacksFiles ? [] : ['make room, staging needs it']),
  ]
  return { ok: gib > gibMin && !lacksFiles, said: said.join('; ') }
}
