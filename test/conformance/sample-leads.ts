/** Leads as the engine hands them to a connector: full rows with every column of the house, invented names. */
import { leadColumns } from '../../config/lead-columns.ts'
import type { OutgoingLead } from '../../connectors/contract.ts'
import { externalIdOf } from '../../src/domain/identity.ts'

type Cells = Readonly<Record<string, string | number | null>>

/** The n-th GST lead; `cells` replaces columns. */
export function gstLead(n: number, cells: Cells = {}): OutgoingLead {
  const gstin = `30AAACR${String(5000 + n)}K1Z${n % 10}`
  return leadOf('gst', gstin, {
    Last_Name: `Naik ${n}`,
    Company: `Mandovi Traders ${n}`,
    Email: `office${n}@mandovi-traders.example.com`,
    Mobile: `+9198220${String(10_000 + n)}`,
    Street: `${n}, Rua de Ourem`,
    City: 'North Goa',
    District: 'North Goa',
    State: 'Goa',
    Zip_Code: '403001',
    Country: 'India',
    Lead_Source: 'Panji',
    GSTIN: gstin,
    LegalName: `MANDOVI TRADERS ${n}`,
    Status: 'Active',
    HSNCodes: '0801;0802',
    ...cells,
  })
}

export function companyLead(n: number, cells: Cells = {}): OutgoingLead {
  const cin = `U85100GA2022PTC${String(10_000 + n).padStart(6, '0')}`
  return leadOf('company', cin, {
    Last_Name: `Kamat ${n}`,
    Company: `Zuari Foods ${n} Private Limited`,
    Email: `info${n}@zuari-foods.example.com`,
    Phone: '+918322222222',
    Website: 'https://zuari-foods.example.com',
    Street: `Plot ${n}, Verna`,
    City: 'Salcete',
    State: 'Goa',
    Zip_Code: '403722',
    Country: 'India',
    Lead_Source: 'Panji',
    CIN: cin,
    paidUpCapital: 100_000,
    dateOfIncorporation: '2022-03-04',
    ...cells,
  })
}

export function directorLead(n: number, cells: Cells = {}): OutgoingLead {
  const din = String(10_000 + n).padStart(8, '0')
  return leadOf('director', din, {
    Last_Name: 'Prabhu',
    First_Name: `Asha ${n}`,
    Full_Name: `Asha ${n} Prabhu`,
    Email: `asha${n}@prabhu.example.com`,
    City: 'Panaji',
    State: 'Goa',
    Country: 'India',
    Lead_Source: 'Panji',
    DIN: din,
    CompanyNames: 'Zuari Foods 1 Private Limited;Mandovi Traders 1',
    ...cells,
  })
}

const cellOf: Readonly<Record<string, (n: number) => string>> = {
  Email: (n) => `person${n}@full-lead.example.com`,
  Mobile: (n) => `+9198220${70_000 + n}`,
  Phone: (n) => `+918327${700_000 + n}`,
  Website: (n) => `https://full-lead-${n}.example.com`,
}

/** A lead whose every column says something that no other column says; another `n` is the same lead with other values. */
export function fullLead(type: OutgoingLead['type'], n: number): OutgoingLead {
  const cells = leadColumns[type].map(({ name, kind }, place) => {
    const day = new Date(Date.UTC(2000 + n, 0, 1 + place)).toISOString().slice(0, 10)
    const text = kind === 'date' ? day : (cellOf[name]?.(n) ?? `(${name} ${n})`)
    return [name, kind === 'number' ? 71_000 + 1_000 * n + place : text] as const
  })
  const identifier = { gst: '30AAACR9999K1Z9', company: 'U85100GA2022PTC099999', director: '00099999' }[type]
  return leadOf(type, identifier, Object.fromEntries(cells))
}

function leadOf(type: OutgoingLead['type'], identifier: string, cells: Cells): OutgoingLead {
  const externalId = externalIdOf(type, identifier)
  const row = Object.fromEntries(leadColumns[type].map(({ name }) => [name, cells[name] ?? null]))
  return { itemId: `item-${externalId}`, externalId, type, row, lastPushed: null, crmId: null }
}
