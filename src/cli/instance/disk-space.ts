/** Whether a disk has space for the next import: bytes, and on most file systems also inodes. */

const gibMin = 2
/** An import creates some hundred files of tables and indexes, and the partitions of the queue. */
const filesMin = 2_000

interface DiskFigures {
  readonly bavail: number
  readonly bsize: number
  /** 0 where the file system does not count them. */
  readonly files: number
  readonly ffree: number
}

export function diskSpace({ bavail, bsize, files, ffree }: DiskFigures): {
  readonly ok: boolean
  readonly said: string
} {
  const gib = (bavail * bsize) / 2 ** 30
  const lacksFiles = files > 0 && ffree < filesMin
  const said = [
    `${gib.toFixed(1)} GiB free`,
    ...(lacksFiles ? [`space for ${ffree} more files (\`df -i\`)`] : []),
    ...(gib > gibMin && !lacksFiles ? [] : ['free some space, staging needs it']),
  ]
  return { ok: gib > gibMin && !lacksFiles, said: said.join('; ') }
}
