/**
 * The managed fields as packages that an administrator deploys with `sf project deploy start`, for orgs in which the
 * destination's user may not change the data model: the fields, and a permission set that lets a user write them. The
 * files in `package/` and `package-accounts/` are generated from here by `npm run docs`.
 */
import { isNumber, type ManagedField } from './managed-fields.ts'
import type { SalesforceObject } from './question.ts'

/** A folder that is deployed as one. */
export interface DeployedPackage {
  readonly folder: string
  readonly permissionSet: string
  readonly label: string
  readonly objects: readonly SalesforceObject[]
}

export const packages: readonly DeployedPackage[] = [
  { folder: 'package', permissionSet: 'Panji_Delivery', label: 'Panji Delivery', objects: ['Lead'] },
  {
    ...{ folder: 'package-accounts', permissionSet: 'Panji_Delivery_Accounts', label: 'Panji Delivery Accounts' },
    objects: ['Account', 'Contact'],
  },
]

/** The package with the fields of this object. */
export function packageOf(object: SalesforceObject): DeployedPackage {
  const found = packages.find(({ objects }) => objects.includes(object))
  if (found === undefined) throw new Error(`no package holds fields of ${object}`)
  return found
}

/** The metadata of a field, as the Tooling API and the Metadata API name it. */
export type FieldMetadata = Readonly<Record<string, string | number | boolean>>

export function identityMetadata(): FieldMetadata {
  return {
    type: 'Text',
    label: 'Panji Id',
    description: 'Identity of the register entry that this lead stands for.',
    length: 80,
    externalId: true,
    unique: true,
    caseSensitive: true,
  }
}

export function metadataOf(field: ManagedField): FieldMetadata {
  const { kind, label, length } = field
  const description = 'From the public register; kept by Panji.'
  if (kind === 'date') return { type: 'Date', label, description }
  if (isNumber(field)) return { type: 'Number', label, description, precision: length, scale: 2 }
  return { type: 'Text', label, description, length }
}
