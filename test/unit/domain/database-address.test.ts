import { describe, expect, test } from 'vitest'
import {
  addressFault,
  addressOfServer,
  asUrl,
  serversOf,
  withDatabase,
  withoutParameter,
} from '../../../src/domain/database-address.ts'

const two =
  'postgresql://panji:p%40ss@one.example:5433,two.example/panji?target_session_attrs=read-write&sslmode=require'

test('an address may name several servers, each with a port of its own, before its database', () => {
  expect(serversOf(two)).toEqual([
    { host: 'one.example', port: 5433 },
    { host: 'two.example', port: 5432 },
  ])
  expect(serversOf('postgres://u@[::1]:6000,127.0.0.1/d')).toEqual([
    { host: '::1', port: 6000 },
    { host: '127.0.0.1', port: 5432 },
  ])
  expect(serversOf('postgresql://u@/d?host=/run/postgresql')).toEqual([{ host: 'localhost', port: 5432 }])
})

test('the address of one server keeps the login, the database and whatever does not choose among several', () => {
  expect(addressOfServer(two, 0)).toBe('postgresql://panji:p%40ss@one.example:5433/panji?sslmode=require')
  expect(addressOfServer(two, 1)).toBe('postgresql://panji:p%40ss@two.example/panji?sslmode=require')
  expect(addressOfServer('postgresql://u@one/d?target_session_attrs=primary', 0)).toBe('postgresql://u@one/d')
  expect(asUrl(two).host).toBe('one.example:5433')
  expect(asUrl('postgresql://u@/d?host=/run').pathname).toBe('/d')
})

test('another database on the same servers is reached with the same words', () => {
  expect(withDatabase(two, 'trial 1')).toBe(two.replace('/panji?', '/trial%201?'))
  expect(withDatabase('postgresql://u@/d?host=/run', 'trial')).toBe('postgresql://u@/trial?host=/run')
  expect(withDatabase('postgresql://u@one,two', 'trial')).toBe('postgresql://u@one,two/trial')
})

test('a parameter is taken out of an address without a change to another', () => {
  expect(withoutParameter('postgresql://u@one/d?a=1&options=-c%20x%3D1&b=2', 'options')).toBe(
    'postgresql://u@one/d?a=1&b=2',
  )
})

describe('an address is refused with what is wrong with it:', () => {
  test.each([
    ['postgresql://u@one,two/d', undefined],
    [two, undefined],
    ['postgresql://u@/d?host=/run/postgresql', undefined],
    ['postgresql://u@one:99999,two/d', 'must be a whole postgresql:// address'],
    ['postgresql://u@one:x/d', 'must be a whole postgresql:// address'],
    ['postgresql://u@/d?host=one,two', /names several servers before the database/],
    ['postgresql://u@one,two/d?target_session_attrs=any', /target_session_attrs must be read-write or primary/],
    ['postgresql://u@one,two/d?target_session_attrs=standby', /target_session_attrs must be read-write or primary/],
  ])('%s', (address, fault) => {
    if (fault === undefined) expect(addressFault(address)).toBeUndefined()
    else expect(addressFault(address)).toMatch(fault)
  })
})
