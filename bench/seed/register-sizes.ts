/** The sizes of the generated registers, as options of a serving bench. */
import type { RegisterSizes } from './registers.ts'

const option = (rows: number) => ({ type: 'string', default: String(rows) }) as const

/** For `parseArgs`: `--companies`, `--gst`, `--directors`, and `--database`, the folder that keeps them. */
export const registerOptions = (standard: RegisterSizes) => ({
  companies: option(standard.companies),
  gst: option(standard.gst),
  directors: option(standard.directors),
  database: { type: 'string' } as const,
})

export const sizesOf = (values: Readonly<Record<keyof RegisterSizes, string>>): RegisterSizes => ({
  companies: Number(values.companies),
  gst: Number(values.gst),
  directors: Number(values.directors),
})
