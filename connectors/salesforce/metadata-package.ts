/**
 * The managed fields as a package that an administrator deploys with `sf project deploy start`, for orgs in which the
 * destination's user may not change the data model: the fields, and a permission set that lets a user write them. The
 * files lie in `package/`, written from here; the same list always gives the same files.
 */
import { type ManagedField, managedFields } from './managed-fields.ts'

export const permissionSetName = 'Panji_Delivery'
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

export function metadataOf({ kind, label, length }: ManagedField): FieldMetadata {
  const description = 'From the public register; kept by Panji.'
  if (kind === 'date') return { type: 'Date', label, description }
  if (kind === 'number') return { type: 'Number', label, description, precision: length, scale: 2 }
  return { type: 'Text', label, description, length }
}

/** Path inside the package → content. */
export function metadataPackage(): ReadonlyMap<string, string> {
  const fields = new Map<string, FieldMetadata>([
    [identity, identityMetadata()],
    ...managedFields.map((field) => [field.name, metadataOf(field)] as const),
  ])
  const lead = 'force-app/main/default/objects/Lead/fields'
  return new Map([
    ['sfdx-project.json', projectFile()],
    [
      `force-app/main/default/permissionsets/${permissionSetName}.permissionset-meta.xml`,
      permissionSet([...fields.keys()]),
    ],
    ...[...fields].map(([name, metadata]) => [`${lead}/${name}.field-meta.xml`, fieldFile(name, metadata)] as const),
  ])
}

function projectFile(): string {
  const project = {
    packageDirectories: [{ path: 'force-app', default: true }],
    name: 'panji-lead-fields',
    sourceApiVersion: apiVersion,
  }
  return `${JSON.stringify(project, null, 2)}\n`
}

function fieldFile(name: string, metadata: FieldMetadata): string {
  // In the order in which the vendor's own tool writes them, so that a retrieved file shows no difference.
  const members = Object.entries({ fullName: name, ...metadata }).sort(([a], [b]) => (a < b ? -1 : 1))
  return document('CustomField', members.map(([member, value]) => element(member, value)).join(''))
}

function permissionSet(names: readonly string[]): string {
  const granted = [...names]
    .sort()
    .map(
      (name) =>
        `    <fieldPermissions>\n        <editable>true</editable>\n        <field>Lead.${name}</field>\n        <readable>true</readable>\n    </fieldPermissions>\n`,
    )
  return document('PermissionSet', `${granted.join('')}${element('label', 'Panji Delivery')}`)
}

function document(type: string, content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${type} xmlns="${namespace}">\n${content}</${type}>\n`
}

function element(name: string, value: string | number | boolean): string {
  const text = String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `    <${name}>${text}</${name}>\n`
}
