/** Limits on a connection before anything of a request is read. */
import { httpBounds } from '../../../config/http-bounds.ts'
import { bytes, seconds } from '../figures.ts'
import { httpFile, type Limits } from './limit.ts'

export const connectionLimits = {
  connections: {
    what: 'Open connections',
    of: 'process',
    held: 'server',
    figures: ({ connectionsMax }) => `${connectionsMax}`,
    answer: { instead: 'closed unread' },
    setBy: 'PANJI_CONNECTIONS_MAX',
  },
  connectionsOfAddress: {
    what: 'Open connections of one address',
    of: 'address, except a trusted proxy',
    held: 'server',
    figures: ({ connectionsMax }) => `${Math.max(1, Math.floor(connectionsMax * httpBounds.shareOfAddress))}`,
    answer: { instead: 'closed unread' },
    setBy: 'PANJI_CONNECTIONS_MAX, PANJI_TRUSTED_PROXIES',
  },
  room: {
    what: 'Connections without credentials, where nearly all are taken',
    of: 'address with the most of them',
    held: 'server',
    figures: ({ connectionsMax }) => `beyond ${Math.floor(connectionsMax * httpBounds.shareOfRoom)} connections`,
    answer: { instead: 'the oldest is closed' },
    setBy: 'PANJI_CONNECTIONS_MAX',
  },
  headers: {
    what: 'Request line and headers',
    of: 'request',
    held: 'server',
    figures: () => `${bytes(httpBounds.headerBytesMax)} within ${seconds(httpBounds.headersMs)}`,
    answer: { instead: '431 or 408, and closed' },
    setBy: httpFile,
  },
  requestsOfConnection: {
    what: 'Requests over one connection, and its idle time between two',
    of: 'connection',
    held: 'server',
    figures: () => `${httpBounds.requestsPerConnection}; ${seconds(httpBounds.keepAliveMs)}`,
    answer: { instead: 'closed after the last answer' },
    setBy: httpFile,
  },
} as const satisfies Limits
