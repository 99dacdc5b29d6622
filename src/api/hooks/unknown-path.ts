import type { FastifyInstance } from 'fastify'
import { AppError } from '../../errors.ts'

interface KnownPath {
  readonly shape: RegExp
  readonly methods: Set<string>
}

/** 404 for a path that does not exist, 405 with `Allow` for one that exists with other methods. Before any route. */
export function addUnknownPathReply(app: FastifyInstance): void {
  const paths = new Map<string, KnownPath>()
  app.addHook('onRoute', ({ url, method }) => {
    // Wildcard routes, for preflights of browsers and states of the console's pages, do not make a path known.
    if (url.endsWith('*')) return
    const known = paths.get(url) ?? { shape: shapeOf(url), methods: new Set() }
    for (const each of [method].flat()) known.methods.add(each)
    paths.set(url, known)
  })
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    const methods = [...paths.values()].filter(({ shape }) => shape.test(path)).flatMap((known) => [...known.methods])
    // A route may report that it has nothing under the name.
    if (methods.length === 0 || methods.includes(request.method))
      throw new AppError('NOT_FOUND', 'There is nothing at this path. See /docs.')
    const allow = [...new Set(methods)].sort().join(', ')
    reply.header('Allow', allow)
    throw new AppError('METHOD_NOT_ALLOWED', `${request.method} is not allowed here; allowed: ${allow}.`)
  })
}

function shapeOf(url: string): RegExp {
  const pattern = url
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')))
    .join('/')
  return new RegExp(`^${pattern}$`)
}
