/**
 * The managed fields as a package that an administrator deploys with `sf project deploy start`, for orgs in which the
 * destination's user may not change the data model: the fields, and a permission set that lets a user write them. The
 * files in `package/` are generated from here, reproducibly.
 */
import { isNumber, type ManagedField, managedFieldsOf } from './managed-fields.ts'
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

const apiVersion = '66.0'
const namespace = 'http://soap.sforce.com/2006/04/metadata'
const identity = 'Panji_Id__c'

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

/** Path inside the package → content. */
export function metadataPackage(deployed: DeployedPackage): ReadonlyMap<string, string> {
  const objects = deployed.objects.map((object) => ({ object, fields: fieldsOf(object) }))
  const names = objects.flatMap(({ object, fields }) => [...fields.keys()].map((name) => `${object}.${name}`))
  return new Map([
    ['sfdx-project.json', projectFile(deployed)],
    [
      `force-app/main/default/permissionsets/${deployed.permissionSet}.permissionset-meta.xml`,
      permissionSet(deployed, names),
    ],
    ...objects.flatMap(({ object, fields }) =>
      [...fields].map(([name, metadata]) => {
        const folder = `force-app/main/default/objects/${object}/fields`
        return [`${folder}/${name}.field-meta.xml`, fieldFile(name, metadata)] as const
      }),
    ),
  ])
}

function fieldsOf(object: SalesforceObject): ReadonlyMap<string, FieldMetadata> {
  return new Map<string, FieldMetadata>([
    [identity, identityMetadata()],
    ...managedFieldsOf(object).map((field) => [field.name, metadataOf(field)] as const),
  ])
}

function projectFile({ objects }: DeployedPackage): string {
  const project = {
    packageDirectories: [{ path: 'force-app', default: true }],
    name: `panji-${objects.join('-').toLowerCase()}-fields`,
    sourceApiVersion: apiVersion,
  }
  return `${JSON.stringify(project, null, 2)}\n`
}

function fieldFile(name: string, metadata: FieldMetadata): string {
  // In the order in which the vendor's own tool writes them, so that a retrieved file shows no difference.
  const members = Object.entries({ fullName: name, ...metadata }).sort(([a], [b]) => (a < b ? -1 : 1))
  return document('CustomField', members.map(([member, value]) => element(member, value)).join(''))
}

function permissionSet({ objects, label }: DeployedPackage, names: readonly string[]): string {
  const fields = [...names]
    .sort()
    .map((name) => section('fieldPermissions', { editable: true, field: name, readable: true }))
  const rights = { allowCreate: true, allowDelete: true, allowEdit: true, allowRead: true, modifyAllRecords: true }
  const granted = objects.map((object) => section('objectPermissions', { ...rights, object, viewAllRecords: true }))
  return document('PermissionSet', [...fields, element('label', label), ...granted].join(''))
}

function section(name: string, members: FieldMetadata): string {
  const lines = Object.entries(members).map(([member, value]) => `    ${element(member, value)}`)
  return `    <${name}>\n${lines.join('')}    </${name}>\n`
}

function document(type: string, content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${type} xmlns="${namespace}">\n${content}</${type}>\n`
}

function element(name: string, value: string | number | boolean): string {
  const text = String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `    <${name}>${text}</${name}>\n`
}
