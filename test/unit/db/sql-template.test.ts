import { expect, test } from 'vitest'
import { fillSql } from '../../../src/db/sql-template.ts'

test('every place of a statement is filled, wherever it stands', () => {
  expect(fillSql('SELECT /* what */ FROM t WHERE /* what */ > $1', { what: 'n' })).toBe('SELECT n FROM t WHERE n > $1')
})

test('a part may hold what a replacement would take for a pattern, or for a place', () => {
  expect(fillSql('SELECT /* what */', { what: "'$& /* other */'" })).toBe("SELECT '$& /* other */'")
})

test('a place that nothing fills is a mistake that says its name', () => {
  expect(() => fillSql('SELECT /* what */', {})).toThrow('nothing fills the place what')
})

test('a part that no place takes is a mistake that says its name', () => {
  expect(() => fillSql('SELECT 1', { what: 'n' })).toThrow('no place for what')
})
