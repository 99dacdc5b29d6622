import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { leadColumns } from '../../../config/lead-columns.ts'
import type { CrmField } from '../../../connectors/contract.ts'
import { managedFieldOf, managedFields } from '../../../connectors/salesforce/managed-fields.ts'
import { mapLead, mappedFields } from '../../../connectors/salesforce/mapping.ts'
import { metadataOf, packages } from '../../../connectors/salesforce/metadata-package.ts'
import { parseSettings } from '../../../connectors/salesforce/settings.ts'
import { renderSalesforcePackage } from '../../../scripts/render-salesforce-package.ts'
import { entityTypes } from '../../../src/domain/identity.ts'
import { companyLead, gstLead } from '../../conformance/sample-leads.ts'

const settings = parseSettings({
  auth: 'client_credentials',
  login_url: 'https://acme.my.salesforce.com',
  client_id: 'app',
  client_secret: 'secret',
})
const text = (name: string, lengthMax = 255): CrmField => ({
  name,
  label: name,
  type: 'string',
  lengthMax,
  required: false,
  allowed: null,
})
const typeOf = {
  text: 'string',
  list: 'string',
  identifier: 'string',
  date: 'date',
  amount: 'double',
  count: 'double',
} as const
const managed = managedFields.map(
  ({ name, kind, length }): CrmField => ({
    ...text(name),
    type: typeOf[kind],
    lengthMax: typeOf[kind] === 'string' ? length : null,
  }),
)
const org = (fields: readonly CrmField[]) =>
  new Map(
    mappedFields(settings, [text('LastName'), text('Company'), text('Description', 32_000), ...fields]).map((f) => [
      f.name,
      f,
    ]),
  )

describe('the managed fields', () => {
  test('hold each GST column that has no standard field, so that none lies in the Description alone', () => {
    const row = Object.fromEntries(
      leadColumns.gst.map(({ name, kind }) => [name, kind === 'date' ? '2020-01-02' : 'x']),
    )
    const fields = mapLead({ ...gstLead(1), row }, settings, org(managed))
    const standard = 'Last_Name Company Email Mobile Phone Street City State Zip_Code Country Lead_Source'.split(' ')
    const own = leadColumns.gst.filter(({ name }) => !standard.includes(name))
    expect(own).toHaveLength(20)
    for (const { name } of own) expect(fields[String(managedFieldOf(name)?.name)], name).toBeDefined()
  })

  test('are filled by columns of the house, one of each kind of lead', () => {
    for (const { columns, name } of managedFields) {
      for (const type of entityTypes) {
        const own = leadColumns[type].filter((column) => columns.includes(column.name))
        expect(own.length, name).toBeLessThanOrEqual(1)
      }
      for (const column of columns) {
        expect(
          entityTypes.some((type) => leadColumns[type].some((each) => each.name === column)),
          column,
        ).toBe(true)
      }
    }
  })

  test('take dates as days and capitals as numbers, and leave what is neither to the Description', () => {
    const fields = mapLead(companyLead(1, { dateOfLastAGM: 'soon', authorisedCapital: 'much' }), settings, org(managed))
    expect(fields).toMatchObject({ Incorporation_Date__c: '2022-03-04', Paid_Up_Capital__c: 100_000 })
    expect(fields).not.toHaveProperty('Last_AGM_Date__c')
    expect(fields['Description']).toContain('dateOfLastAGM: soon')
    expect(fields['Description']).toContain('authorisedCapital: much')
  })

  test('cut a list of codes between codes, and the Description has all of them', () => {
    const codes = Array.from({ length: 60 }, (_, n) => String(1000 + n)).join(';')
    const fields = mapLead(gstLead(1, { HSNCodes: codes }), settings, org(managed))
    const kept = String(fields['HSN_Codes__c']).split(';')
    expect(kept).toHaveLength(51)
    expect(kept.every((code) => /^\d{4}$/.test(code))).toBe(true)
    expect(fields['Description']).toContain(codes)
  })

  test('that an org does not have, or has for something else, leave their columns in the Description', () => {
    const others = managed.map((field) =>
      field.name === 'GSTIN__c'
        ? { ...field, type: 'double' }
        : field.name === 'PAN__c'
          ? { ...field, allowed: ['A'] }
          : field,
    )
    const lead = gstLead(1, { PAN: 'AAACR5055K' })
    const fields = mapLead(lead, settings, org(others.filter(({ name }) => name !== 'Legal_Name__c')))
    for (const name of ['GSTIN__c', 'PAN__c', 'Legal_Name__c']) expect(fields).not.toHaveProperty(name)
    for (const column of ['GSTIN', 'PAN', 'LegalName']) {
      expect(fields['Description']).toContain(`${column}: ${lead.row[column]}`)
    }
  })

  test('have names and lengths that Salesforce takes', () => {
    expect(new Set(managedFields.map(({ name }) => name)).size).toBe(managedFields.length)
    for (const field of managedFields) {
      expect(field.name).toMatch(/^[A-Z](?!\w*__\w+__c)\w{1,38}__c$/)
      expect(field.label.length).toBeLessThanOrEqual(40)
      const { length, precision } = metadataOf(field)
      if (length !== undefined) expect(length).toBeLessThanOrEqual(255)
      if (precision !== undefined) expect(precision).toBeLessThanOrEqual(18)
    }
  })
})

describe.each(packages)('the metadata package $folder', (deployed) => {
  const packageDir = join(import.meta.dirname, '../../../connectors/salesforce', deployed.folder)
  test('lies in the repository as the list of fields says, and holds no other file', async () => {
    const files = renderSalesforcePackage(deployed)
    for (const [path, content] of files) await expect(content).toMatchFileSnapshot(join(packageDir, path))
    const there = await readdir(packageDir, { recursive: true, withFileTypes: true })
    const paths = there
      .filter((entry) => entry.isFile())
      .map((entry) => relative(packageDir, join(entry.parentPath, entry.name)).split(sep).join('/'))
    expect(paths.sort()).toEqual([...files.keys()].sort())
  })
})
