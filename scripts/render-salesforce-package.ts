/** The packages of Salesforce's managed fields, see connectors/salesforce/metadata-package.ts. */
import { managedFieldsOf } from '../connectors/salesforce/managed-fields.ts'
import {
  type DeployedPackage,
  type FieldMetadata,
  identityMetadata,
  metadataOf,
} from '../connectors/salesforce/metadata-package.ts'
import type { SalesforceObject } from '../connectors/salesforce/question.ts'

const apiVersion = '66.0'
const namespace = 'http://soap.sforce.com/2006/04/metadata'
const identity = 'Panji_Id__c'

/** Path inside the package → content. */
export function renderSalesforcePackage(deployed: DeployedPackage): ReadonlyMap<string, string> {
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
