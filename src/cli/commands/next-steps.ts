/** Suggests the next commands from a status; the last one lists all commands. */
interface Found {
  readonly worker: boolean
  readonly runs_that_wait: readonly number[]
  readonly dead_letters: number
  readonly broken_destinations: number
  readonly sources: readonly unknown[]
}

interface Step {
  readonly command: string
  readonly why: string
}

const all: Step = { command: 'npx panji --help', why: 'lists all commands' }

export const firstSteps: readonly Step[] = [
  { command: 'npx panji start', why: 'creates an instance here and runs it, with a sample world' },
  all,
]

export function nextSteps(found: Found): Step[] {
  const [waiting] = found.runs_that_wait
  return [
    ...(found.worker ? [] : [{ command: 'npx panji start', why: 'starts a worker: none takes jobs' }]),
    ...(waiting === undefined ? [] : [{ command: `npx panji preview ${waiting}`, why: 'shows what needs approval' }]),
    ...(found.dead_letters > 0 ? [{ command: 'npx panji jobs dead', why: 'lists jobs that failed for good' }] : []),
    ...(found.broken_destinations > 0
      ? [{ command: 'npx panji destination list', why: 'says why CRMs cannot be reached' }]
      : []),
    ...(found.sources.length > 0
      ? []
      : [{ command: 'npx panji ingest mca-companies FILE', why: 'ingests a first file' }]),
    all,
  ]
}
