import { describe, expect, test } from 'vitest'
import { suspicions } from '../../../src/ingest/merge/guards.ts'

const bounds = { rowsMin: 10, rowsMax: 100_000, closedShareMax: 0.05, rejectedShareMax: 0.2 }
const figures = (open: number, closing: number, inFile: number) => ({
  rowsRead: inFile,
  rejected: 0,
  closings: [{ scope: 'ROC Goa', open, closing, inFile }],
})

describe('a snapshot is suspicious', () => {
  test.each([
    ['half of the scope is absent', figures(10_000, 5_000, 5_000)],
    ['a few more than the share are absent', figures(10_000, 501, 9_600)],
    ['most of a small scope is absent', figures(31, 19, 12)],
    ['it holds fewer records than the source ever had', { rowsRead: 9, rejected: 0, closings: [] }],
    ['too many of its records are rejected', { rowsRead: 1_000, rejected: 201, closings: [] }],
    ['more than a third of a small file is rejected', { rowsRead: 50, rejected: 17, closings: [] }],
    [
      'it ends in the middle of a line and a single record is absent',
      { ...figures(10_000, 1, 9_999), cutOffLine: 10_001 },
    ],
  ])('when %s', (_, given) => {
    expect(suspicions(bounds, given)).toHaveLength(1)
  })
})

test('a source without partitions is said to be the register', () => {
  const closings = [{ scope: '*', open: 100, closing: 60, inFile: 40 }]
  expect(suspicions(bounds, { rowsRead: 40, rejected: 0, closings })).toEqual([
    '60 of 100 open records of the register are absent and would be closed; at most 5 % expected',
  ])
})

test('a file that lacks most of its partitions is advised, once, to be imported as a delta', () => {
  const closings = ['ROC Goa', 'ROC Pune'].map((scope) => ({ scope, open: 1_000, closing: 990, inFile: 40 }))
  expect(suspicions(bounds, { rowsRead: 80, rejected: 0, closings })).toEqual([
    '990 of 1,000 open records of ROC Goa are absent and would be closed; at most 5 % expected',
    '990 of 1,000 open records of ROC Pune are absent and would be closed; at most 5 % expected',
    'a list of only what is new or changed is a delta: discard this import, and import the file as a delta',
  ])
})

test('the reasons of a large file are read as Indians write numbers, and one is not many', () => {
  const closings = [{ scope: 'Goa', open: 1_234_567, closing: 352_410, inFile: 882_157 }]
  const large = { ...bounds, rowsMin: 1_500_000, rowsMax: 25_000_000 }
  expect(suspicions(large, { rowsRead: 882_157, rejected: 0, closings })).toEqual([
    'the file holds 8,82,157 records; expected 15,00,000 to 2,50,00,000',
    '3,52,410 of 12,34,567 open records of Goa are absent and would be closed; at most 5 % expected',
  ])
  const cut = { ...figures(10_000, 1, 10_001), cutOffLine: 10_002, rejectsUnnamed: 1 }
  expect(suspicions(bounds, cut)).toEqual([
    'the file ends in the middle of line 10,002, and 1 open record after it or elsewhere is absent',
    '1 reject is counted but not kept; what is absent, 1 open record, may be among them',
  ])
})

describe('a snapshot is good', () => {
  test.each([
    ['a share within the bound is absent', figures(10_000, 500, 9_600)],
    ['a few records of a small scope are absent', figures(31, 10, 25)],
    ['the register held only a handful and the file brings the whole scope', figures(31, 31, 11_878)],
    ['a third of a small file is rejected', { rowsRead: 48, rejected: 16, closings: [] }],
    ['a handful of its records are rejected, however small it is', { rowsRead: 10, rejected: 6, closings: [] }],
    ['it ends in the middle of a line and nothing is absent', { ...figures(10_000, 0, 10_001), cutOffLine: 10_002 }],
  ])('when %s', (_, given) => {
    expect(suspicions(bounds, given)).toEqual([])
  })
})
