/** The disks that an instance writes to, read at each scrape: bytes and inodes of the one with the least free space. */
import { statfs } from 'node:fs/promises'
import { Gauge, type Registry } from 'prom-client'
import { writtenFolders } from '../../db/embedded/location.ts'

interface Room {
  readonly free: number
  readonly total: number
}

export function measureDisks(registers: Registry[], dataDir: string): void {
  const gauge = (name: string, help: string, read: () => Promise<Room | undefined>) =>
    new Gauge({
      ...{ name, help, labelNames: ['state'] as const, registers },
      async collect() {
        this.reset()
        const room = await read()
        if (room === undefined) return
        this.set({ state: 'free' }, room.free)
        this.set({ state: 'total' }, room.total)
      },
    })
  const disks = () => Promise.all(writtenFolders(dataDir).map((folder) => statfs(folder)))
  gauge(
    'panji_disk_bytes',
    'Disk of the data directory, or of its database if that is fuller, by state: free, total.',
    async () =>
      leastRoom((await disks()).map(({ bavail, blocks, bsize }) => ({ free: bavail * bsize, total: blocks * bsize }))),
  )
  gauge('panji_disk_files', 'Inodes of that disk by state: free, total; absent if it has no fixed number.', async () =>
    leastRoom((await disks()).map(({ ffree, files }) => ({ free: ffree, total: files }))),
  )
}

/** @returns undefined where none can be counted, because some file systems do not count files. */
export function leastRoom(rooms: readonly Room[]): Room | undefined {
  const [least] = rooms.filter(({ total }) => total > 0).toSorted((a, b) => a.free / a.total - b.free / b.total)
  return least
}
