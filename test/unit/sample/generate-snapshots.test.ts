import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { generateSnapshots } from '../../../sample/generate-snapshots.ts'
import type { SampleSource } from '../../../sample/noise.ts'
import { cinParts, parseCompanyId } from '../../../src/domain/company-id.ts'
import { parseDin } from '../../../src/domain/din.ts'
import { parseGstin } from '../../../src/domain/gstin.ts'
import { isIsoDate } from '../../../src/domain/iso-date.ts'
import { defaults, fileOf, type ReadFile, sample, value } from './read-snapshot.ts'

const sizes = { companies: 3_000, gst: 3_000, directors: 3_000 }

describe('a clean sample', () => {
  let files: ReadonlyMap<SampleSource, ReadFile>
  beforeAll(async () => {
    files = await sample({ ...sizes, noise: false })
  }, 60_000)
  const column = (source: SampleSource, name: string) =>
    fileOf(files, source).records.map((record) => value(record, name))

  test('has exactly the rows that were asked for, and reports the rows of every file', () => {
    expect(column('mca-companies', 'CIN')).toHaveLength(sizes.companies)
    expect(column('gst-taxpayers', 'gstin')).toHaveLength(sizes.gst)
    expect(column('mca-directors', 'din')).toHaveLength(sizes.directors)
    for (const file of files.values()) expect(file.rows).toBe(file.records.length)
  })

  test('opens every file with the header of its registry', () => {
    expect(fileOf(files, 'mca-companies').header).toBe(
      'CIN,CompanyName,CompanyROCcode,CompanyCategory,CompanySubCategory,CompanyClass,AuthorizedCapital,PaidupCapital,CompanyRegistrationdate_date,Registered_Office_Address,Listingstatus,CompanyStatus,CompanyStateCode,CompanyIndian/Foreign Company,nic_code,CompanyIndustrialClassification',
    )
    expect(fileOf(files, 'gst-taxpayers').header).toBe(
      'gstin,lgnm,tradeNam,ctb,dty,sts,rgdt,cxdt,lstupdt,nba,ntcrbs,bno,flno,bnm,st,loc,dst,city,stcd,pncd,adr,stj,ctj,hsncd,saccd',
    )
    expect(fileOf(files, 'mca-directors').header).toBe(
      'din,first_name,middle_name,last_name,status,approval_date,disqualified,nationality,gender,date_of_birth,citizen_of_india,resident_of_india,address,city,district,state,country,pincode',
    )
    expect(fileOf(files, 'mca-directorships').header).toBe('cin,din,designation,date_of_appointment,date_of_cessation')
    expect(fileOf(files, 'contacts').header).toBe('entity,identifier,email,mobile,phone,website,origin')
  })

  test('holds only identifiers that the domain reads, each once', () => {
    const ids = column('mca-companies', 'CIN')
    expect(ids.filter((id) => parseCompanyId(id)?.value !== id)).toEqual([])
    expect(new Set(ids).size).toBe(ids.length)
    const gstins = column('gst-taxpayers', 'gstin')
    expect(gstins.filter((gstin) => !parseGstin(gstin).ok)).toEqual([])
    expect(new Set(gstins).size).toBe(gstins.length)
    const dins = column('mca-directors', 'din')
    expect(dins.filter((din) => parseDin(din) !== din)).toEqual([])
    expect(new Set(dins).size).toBe(dins.length)
  })

  test('plants nothing', () => {
    for (const file of files.values()) expect(Object.values(file.injected).filter(Boolean)).toEqual([])
  })

  test('agrees within a company row: listing, industry, type, year, the empty cells of an LLP', () => {
    const { records } = fileOf(files, 'mca-companies')
    const llps = records.filter((record) => parseCompanyId(value(record, 'CIN'))?.kind === 'llpin')
    expect(llps).toHaveLength(sizes.companies / 100)
    for (const record of llps) expect(value(record, 'nic_code') + value(record, 'AuthorizedCapital')).toBe('')
    for (const record of records) {
      const parts = cinParts(value(record, 'CIN'))
      if (!parts) continue
      expect(value(record, 'Listingstatus')).toBe(parts.listed ? 'Listed' : 'Unlisted')
      expect(value(record, 'nic_code')).toBe(parts.nicCode)
      expect(value(record, 'CompanyRegistrationdate_date')).toMatch(new RegExp(`^${parts.year}-`))
      expect(value(record, 'Registered_Office_Address')).toMatch(/,[^,]+,[^,]+,[^,]+,[1-9]\d{5}-India$/)
      expect(Number(value(record, 'PaidupCapital'))).toBeLessThanOrEqual(Number(value(record, 'AuthorizedCapital')))
    }
    expect(new Set(column('mca-companies', 'CompanyROCcode')).size).toBeGreaterThan(10)
  })

  test('gives every PAN the fourth letter of its owner and every special kind its shape', () => {
    const holders: Readonly<Record<string, string>> = {
      'Private Limited Company': 'C',
      Proprietorship: 'P',
      Partnership: 'F',
      'Limited Liability Partnership': 'F',
    }
    const kinds = new Set<string>()
    for (const record of fileOf(files, 'gst-taxpayers').records) {
      const reading = parseGstin(value(record, 'gstin'))
      if (!reading.ok) throw new Error('a clean sample holds valid numbers')
      kinds.add(reading.kind)
      const holder = holders[value(record, 'ctb')]
      if (reading.pan && holder && reading.kind === 'normal') expect(reading.pan.charAt(3)).toBe(holder)
    }
    expect([...kinds].sort()).toEqual(expect.arrayContaining(['normal', 'tcs', 'tds']))
  })

  test('registers companies under their own name and state, each under one PAN', () => {
    const stateOf = new Map(
      fileOf(files, 'mca-companies').records.map((each) => [
        value(each, 'CompanyName'),
        value(each, 'CompanyStateCode'),
      ]),
    )
    const pansOf = new Map<string, Set<string>>()
    let atHome = 0
    for (const record of fileOf(files, 'gst-taxpayers').records) {
      const state = stateOf.get(value(record, 'lgnm'))
      if (state === undefined) continue
      if (value(record, 'stcd').toLowerCase() === state) atHome++
      const reading = parseGstin(value(record, 'gstin'))
      const pans = pansOf.get(value(record, 'lgnm')) ?? new Set()
      if (reading.ok && reading.kind === 'normal') pans.add(reading.pan ?? '')
      pansOf.set(value(record, 'lgnm'), pans)
    }
    expect([...pansOf.values()].filter((pans) => pans.size > 1)).toEqual([])
    expect(pansOf.size).toBeGreaterThan(100)
    expect(atHome).toBeGreaterThan(pansOf.size * 0.9)
  })

  test('names in boards and contacts only records that are there', () => {
    const known = new Set([...column('mca-companies', 'CIN'), ...column('mca-directors', 'din')])
    for (const gstin of column('gst-taxpayers', 'gstin')) known.add(gstin)
    const named = [
      ...column('mca-directorships', 'cin'),
      ...column('mca-directorships', 'din'),
      ...column('contacts', 'identifier'),
    ]
    expect(named.filter((identifier) => !known.has(identifier))).toEqual([])
  })

  test('seats nobody twice on one board, and nobody after leaving', () => {
    const seats = fileOf(files, 'mca-directorships').records
    expect(new Set(seats.map((seat) => `${seat['cin']} ${seat['din']}`)).size).toBe(seats.length)
    for (const seat of seats) {
      const from = value(seat, 'date_of_appointment')
      const to = value(seat, 'date_of_cessation')
      expect(isIsoDate(from)).toBe(true)
      expect(from <= defaults.today && (to === '' || (from <= to && to <= defaults.today))).toBe(true)
    }
  })

  test('reaches about 85 % of the records, under reserved domains and numbers of unissued series that look like mobile numbers', () => {
    const { records } = fileOf(files, 'contacts')
    const share = records.length / (sizes.companies + sizes.gst + sizes.directors)
    expect(share).toBeGreaterThan(0.82)
    expect(share).toBeLessThan(0.88)
    for (const record of records) {
      expect(value(record, 'email') + value(record, 'mobile')).not.toBe('')
      expect(value(record, 'email')).toMatch(/^$|@([a-z0-9-]+\.example\.in|example\.com)$/)
      expect(value(record, 'mobile')).toMatch(/^$|^\+916610\d{6}$/)
    }
    expect(new Set(records.map((record) => `${record['entity']} ${record['identifier']}`)).size).toBe(records.length)
  })

  test('registers some records in each of the windows of 30, 90 and 365 days, and none in the future', () => {
    const days = [
      column('mca-companies', 'CompanyRegistrationdate_date'),
      column('gst-taxpayers', 'rgdt').map((day) => day.split('/').reverse().join('-')),
      column('mca-directors', 'approval_date'),
    ]
    for (const dates of days) {
      expect(dates.filter((date) => !isIsoDate(date) || date > defaults.today)).toEqual([])
      expect(dates.filter((date) => date > '2026-03-01').length).toBeGreaterThan(15)
      expect(dates.filter((date) => date > '2025-12-31').length).toBeGreaterThan(40)
      expect(dates.filter((date) => date > '2025-03-31').length).toBeGreaterThan(150)
    }
  })
})

test('even three hundred records leave no feed empty', async () => {
  const files = await sample({ companies: 300, gst: 300, directors: 300 })
  const recent = fileOf(files, 'mca-companies').records.filter(
    (record) => value(record, 'CompanyRegistrationdate_date') > '2026-03-01',
  )
  expect(recent.length).toBeGreaterThan(10)
})

test('the same seed gives the same bytes, another seed other bytes', async () => {
  const texts = async (seed: string | number) =>
    [...(await sample({ ...sizes, seed })).values()].map((file) => file.text)
  const first = await texts('spring')
  expect(await texts('spring')).toEqual(first)
  for (const [index, text] of (await texts('autumn')).entries()) expect(text).not.toBe(first[index])
})

test('a file without rows is left out', async () => {
  expect([...(await sample({ companies: 50 })).keys()]).toEqual(['mca-companies', 'contacts'])
  expect([...(await sample({ gst: 50 })).keys()]).toEqual(['gst-taxpayers', 'contacts'])
  expect([...(await sample({})).keys()]).toEqual([])
})

test('an aborted sample leaves no file that looks whole', async () => {
  const outDir = mkdtempSync(join(tmpdir(), 'panji-sample-'))
  try {
    const abort = new AbortController()
    const work = generateSnapshots({
      ...defaults,
      companies: 20_000,
      outDir,
      signal: abort.signal,
      onProgress: () => abort.abort(),
    })
    await expect(work).rejects.toThrow(/aborted/)
    expect(readdirSync(outDir)).toEqual([])
  } finally {
    rmSync(outDir, { recursive: true, force: true })
  }
})

test('wrong sizes, days and rates are all named at once, before anything is written', async () => {
  const outDir = join(tmpdir(), 'panji-sample-never')
  const wrong = { ...defaults, outDir, companies: -1, gst: 0.5, directors: 1e9, today: '2026-02-30', noise: -1 }
  await expect(generateSnapshots(wrong)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringMatching(/companies.*gst.*directors.*today.*noise/),
  })
  expect(existsSync(outDir)).toBe(false)
})

test('progress never runs backwards and ends at the expected total or beyond', async () => {
  const seen: number[] = []
  await sample({
    ...sizes,
    onProgress: ({ rowsDone, rowsExpected }) => {
      expect(rowsDone).toBeLessThanOrEqual(rowsExpected)
      seen.push(rowsDone)
    },
  })
  expect(seen).toEqual([...seen].sort((a, b) => a - b))
  expect(seen.at(-1)).toBeGreaterThan(9_000)
})
