/** Set-up of a CRM that keeps leads in several objects: what each of them reports, and the report of all. */
import { type EntityType, entityTypes } from '../src/domain/identity.ts'
import type { SetupReport } from './contract.ts'

export interface ObjectReport extends Omit<SetupReport, 'absent'> {
  readonly absent: readonly string[]
}

/** @param absentOf what leads of a type lack. */
export function reportOf(
  reports: readonly ObjectReport[],
  absentOf: (type: EntityType) => readonly string[],
): Required<SetupReport> {
  return {
    created: reports.flatMap(({ created }) => created),
    present: reports.flatMap(({ present }) => present),
    todo: reports.flatMap(({ todo }) => todo),
    advice: reports.flatMap(({ advice = [] }) => advice),
    unfilled: reports.flatMap(({ unfilled = [] }) => unfilled),
    absent: new Map(entityTypes.map((type) => [type, absentOf(type)])),
  }
}

/** The distinct fields of one object among fields of all of them. @param prefix of its fields, `Account.`. */
export function fieldsWithin(prefix: string, names: Iterable<string>): readonly string[] {
  const own = [...names].filter((name) => name.startsWith(prefix))
  return [...new Set(own.map((name) => name.slice(prefix.length)))]
}
