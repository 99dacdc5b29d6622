/**
 * The Metadata API's deploy, as `sf project deploy start` calls it by SOAP: deploys a zip file of custom fields and
 * permission sets as a whole or not at all, or only checks it; the result is polled. Deploying again changes nothing.
 */
import { type Entry, fromBufferPromise } from 'yauzl'
import type { WireAnswer } from '../kit.ts'
import type { Component, Deployment } from './deployment.ts'
import { customField } from './fields.ts'
import { userId } from './people.ts'
import type { Org } from './state.ts'
import { type Element, elementAt, readXml, textAt, writeXml } from './xml.ts'

const zipBytesMax = 4 * 1024 * 1024
const filesMax = 1_000
const namespace = 'http://soap.sforce.com/2006/04/metadata'

/** @param text the envelope, whose header has the session. */
export async function metadata(org: Org, text: string, mayCreateFields: boolean): Promise<WireAnswer> {
  const envelope = readXml(text)
  const call = elementAt(envelope, 'Body')?.children[0]
  if (!org.knowsToken(textAt(envelope, 'Header', 'SessionHeader', 'sessionId')))
    return fault('INVALID_SESSION_ID', 'Invalid Session ID found in SessionHeader')
  if (call?.name === 'checkDeployStatus') {
    const deployment = org.deployments.get(textAt(call, 'asyncProcessId'))
    return deployment === undefined
      ? fault('INVALID_ID_FIELD', 'no such deployment')
      : soap('checkDeployStatusResponse', resultOf(deployment))
  }
  if (call?.name !== 'deploy')
    return fault('INVALID_OPERATION', `not in this sandbox: ${call?.name ?? 'a call without a name'}`)
  if (!mayCreateFields) return fault('INSUFFICIENT_ACCESS', 'use of the Metadata API requires a user with rights to it')
  const files = await filesIn(Buffer.from(textAt(call, 'ZipFile'), 'base64'))
  if (files === null) return fault('INVALID_ZIP', 'the ZipFile cannot be read')
  const components = [...files].flatMap(([fileName, content]) => componentsIn(org, fileName, content))
  const checkOnly = textAt(call, 'DeployOptions', 'checkOnly') === 'true'
  const isGood = components.every(({ problem }) => problem === undefined)
  if (isGood && !checkOnly) for (const { apply } of components) apply()
  const id = org.newId('Deploy')
  org.keepDeployment({ id, at: new Date().toISOString(), checkOnly, components })
  return soap('deployResponse', { done: false, id, state: 'Queued' })
}

/** In SOAP the credential is in the envelope. */
export const withoutSession = (text: string): string => text.replaceAll(/(<(?:\w+:)?sessionId>)[^<]*/g, '$1…')

async function filesIn(zip: Buffer): Promise<ReadonlyMap<string, string> | null> {
  const files = new Map<string, string>()
  try {
    const archive = await fromBufferPromise(zip, { lazyEntries: true, autoClose: false })
    for await (const entry of archive.eachEntry()) {
      const { fileName, uncompressedSize } = entry as Entry
      if (fileName.endsWith('/')) continue
      if (files.size >= filesMax || uncompressedSize > zipBytesMax) return null
      const chunks: Buffer[] = []
      for await (const chunk of await archive.openReadStreamPromise(entry)) chunks.push(chunk as Buffer)
      files.set(fileName, Buffer.concat(chunks).toString('utf8'))
    }
  } catch {
    return null
  }
  return files
}

function componentsIn(org: Org, fileName: string, content: string): Component[] {
  const [file = '', kind] = fileName.split('/').reverse()
  const [name = ''] = file.split('.')
  if (kind !== 'objects' && kind !== 'permissionsets') return []
  const root = readXml(content)
  if (kind === 'permissionsets') return [permissionSet(org, fileName, name, root)]
  const fields = root?.children.filter((child) => child.name === 'fields') ?? []
  return fields.map((field) => fieldOf(org, fileName, name, field))
}

function fieldOf(org: Org, fileName: string, object: string, element: Element): Component {
  const name = textAt(element, 'fullName')
  const given = element.children.map((child) => [child.name, memberOf(child.text.trim())] as const)
  const known = org.fields(object)
  const created = !org.hasField(object, name)
  const fault = faultOfField(Object.fromEntries(given))
  const problem = known === null ? `Entity of type 'CustomObject' named '${object}' cannot be found` : fault
  return {
    ...{ componentType: 'CustomField', fileName, fullName: `${object}.${name}`, created },
    ...(problem === undefined ? {} : { problem }),
    apply: () => void (created && org.addField(object, customField(name, Object.fromEntries(given)))),
  }
}

function faultOfField({ fullName, type, length, precision, label }: Readonly<Record<string, unknown>>) {
  if (!/^[A-Za-z]\w*__c$/.test(String(fullName))) return 'The API name must end in __c and begin with a letter'
  if (typeof label !== 'string' || label === '') return 'Required field is missing: label'
  if (type === 'Text' && !(Number(length) >= 1 && Number(length) <= 255))
    return "Can not specify 'length' beyond 1 to 255"
  if (type === 'Number' && !(Number(precision) >= 1 && Number(precision) <= 18)) return 'precision must be 1 to 18'
  return ['Text', 'Number', 'Date', 'LongTextArea', 'Checkbox'].includes(String(type)) ? undefined : `type ${type}?`
}

const memberOf = (text: string): string | boolean => (text === 'true' || text === 'false' ? text === 'true' : text)

/** A field that it names must exist or be part of the deployment, which is checked after everything is read. */
function permissionSet(org: Org, fileName: string, fullName: string, root: Element | null): Component {
  const label = textAt(root, 'label')
  return {
    ...{ componentType: 'PermissionSet', fileName, fullName, created: !org.permissionSets.has(fullName) },
    ...(label === '' ? { problem: 'Required field is missing: label' } : {}),
    apply() {
      const of = (name: string) => root?.children.filter((each) => each.name === name) ?? []
      const everybodys = of('objectPermissions').filter((each) => textAt(each, 'modifyAllRecords') === 'true')
      org.permissionSets.set(fullName, {
        fields: of('fieldPermissions').map((each) => textAt(each, 'field')),
        modifyAll: everybodys.map((each) => textAt(each, 'object')),
      })
    },
  }
}

function resultOf({ id, at, checkOnly, components }: Deployment): object {
  const success = components.every(({ problem }) => problem === undefined)
  const messages = components.map(({ apply: _apply, problem, created, ...component }) => ({
    ...component,
    ...{ changed: success, created: success && created, deleted: false, createdDate: at },
    ...{ success: problem === undefined, problem, problemType: problem && 'Error' },
  }))
  const failed = messages.filter((each) => !each.success)
  return {
    ...{ checkOnly, completedDate: at, createdBy: userId, createdByName: 'Sandbox', createdDate: at },
    details: { componentFailures: failed, componentSuccesses: messages.filter((each) => each.success) },
    ...{ done: true, id, ignoreWarnings: false, lastModifiedDate: at, startDate: at },
    ...{ numberComponentErrors: failed.length, numberComponentsDeployed: success ? messages.length : 0 },
    ...{ numberComponentsTotal: messages.length, numberTestErrors: 0, numberTestsCompleted: 0, numberTestsTotal: 0 },
    ...{ rollbackOnError: true, runTestsEnabled: false, status: success ? 'Succeeded' : 'Failed', success },
  }
}

function soap(name: string, result: object): WireAnswer {
  return envelope(200, `<${name} xmlns="${namespace}"><result>${writeXml(result)}</result></${name}>`)
}

function fault(code: string, message: string): WireAnswer {
  return envelope(
    500,
    `<soapenv:Fault><faultcode>sf:${code}</faultcode>${writeXml({ faultstring: `${code}: ${message}` })}</soapenv:Fault>`,
  )
}

function envelope(status: number, body: string): WireAnswer {
  const open = '<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Body>'
  const text = `<?xml version="1.0" encoding="UTF-8"?>${open}${body}</soapenv:Body></soapenv:Envelope>`
  return { status, text, headers: { 'content-type': 'text/xml;charset=UTF-8' } }
}
