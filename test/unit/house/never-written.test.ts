/** What docs/security.md says that no code of the product does: each is a way out of a check that everything else goes through. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const files = globSync('{src,jobs,connectors,sample,sandboxes,config,web/src}/**/*.{ts,tsx}', { cwd: root })
const lines = files.flatMap((file) =>
  readFileSync(`${root}${file}`, 'utf8')
    .split('\n')
    .map((line) => [file, line.trim()] as const),
)
const linesWith = (pattern: RegExp): string[] =>
  lines.filter(([, line]) => pattern.test(line)).map(([file, line]) => `${file}: ${line}`)

test.each([
  ['runs text as code', /\beval\(|new Function\(|from 'node:vm'/],
  ['puts text into a page as markup', /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write/],
  ['hands a line to a shell', /\bshell: (?:true|['"]\/)|\bexecSync\b|\{[^}]*\bexec\b[^}]*\} from 'node:child_process'/],
  ['listens to messages of other windows', /addEventListener\(['"]message|onmessage/],
  ['takes chance from where it can be guessed', /Math\.random/],
  ['hashes in a way that is broken', /createHash\('(md4|md5|sha1)'/],
])('no code of the product %s', (_what, pattern) => {
  expect(linesWith(pattern)).toEqual([])
})

test('the certificate of a server is believed unchecked only where its own end is read and nothing is sent', () => {
  const checking = linesWith(/rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED|checkServerIdentity/)
  // Those of a database are held against every name of its address: test/unit/db/certificate.test.ts.
  expect(checking.filter((line) => !line.startsWith('src/db/servers/certificate.ts'))).toEqual([
    'src/health/readings/ending-metrics.ts: const socket = connect({ host, port: Number(port) || 443, servername: host, rejectUnauthorized: false })',
  ])
})

test('the browser keeps the look, the columns of lists, how far the tour went, who is signed in where, when Home was seen, and drafts until sign-out', () => {
  const keeping = linesWith(/\b(localStorage|sessionStorage|indexedDB)\b/).map((line) => line.split(':')[0])
  expect([...new Set(keeping)].toSorted()).toEqual([
    'web/src/app/home/last-visit.ts',
    'web/src/app/tour/tour.tsx',
    'web/src/look/kept-columns.ts',
    'web/src/look/kept-draft.ts',
    'web/src/look/theme.ts',
    'web/src/wire/session.ts',
  ])
})
