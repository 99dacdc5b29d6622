/** Of Zoho's SDK, which comes without types, what the calls use. */
declare module '@zohocrm/nodejs-sdk-8.0' {
  export interface Reply {
    getStatusCode(): number
    /** A model of the answer; undefined where the answer has no content. */
    getObject(): object | undefined
  }
  type Asked = Promise<Reply>
  export class ParameterMap {
    add(parameter: object, value: string | number): Promise<void>
  }
  interface Lister {
    new (): {
      getModules(): Asked
      getLayouts(parameters: ParameterMap): Asked
      getRoles(): Asked
      getProfiles(): Asked
      getTags(parameters: ParameterMap): Asked
      addTagsToMultipleRecords(module: string, body: object): Asked
      getRecordCountForTag(id: bigint, parameters: ParameterMap): Asked
    }
  }
  interface LeadRecord {
    addKeyValue(field: string, value: string): void
    setId(id: bigint): void
  }
  interface Leads {
    createRecords(body: object): Asked
    getRecords(parameters: ParameterMap): Asked
    getRecord(id: bigint): Asked
    updateRecords(body: object): Asked
    updateRecord(id: bigint, body: object): Asked
    upsertRecords(body: object): Asked
    deleteRecord(id: bigint): Asked
    deleteRecords(parameters: ParameterMap): Asked
    getDeletedRecords(): Asked
    searchRecords(parameters: ParameterMap): Asked
    recordCount(): Asked
    cloneRecord(id: bigint): Asked
  }
  interface Body {
    setData(records: readonly LeadRecord[]): void
    setDuplicateCheckFields(fields: readonly string[]): void
  }
  type Names = Readonly<Record<string, object>>
  export const Record: {
    readonly RecordOperations: new (module: string) => Leads
    readonly BodyWrapper: new () => Body
    readonly Record: new () => LeadRecord
    readonly GetRecordsParam: Names
    readonly SearchRecordsParam: Names
    readonly DeleteRecordsParam: Names
  }
  export const Org: { readonly OrgOperations: new () => { getOrganization(): Asked } }
  export const Users: { readonly UsersOperations: new () => { getUsers(): Asked } }
  export const Fields: {
    readonly FieldsOperations: new () => { getFields(parameters: ParameterMap): Asked }
    readonly GetFieldsParam: Names
  }
  export const Coql: {
    readonly CoqlOperations: new () => { getRecords(body: object): Asked }
    readonly BodyWrapper: new () => { setSelectQuery(query: string): void }
  }
  export const Modules: { readonly ModulesOperations: Lister }
  export const Layouts: { readonly LayoutsOperations: Lister; readonly GetLayoutsParam: Names }
  export const Roles: { readonly RolesOperations: Lister }
  export const Profiles: { readonly ProfilesOperations: Lister }
  export const Tags: {
    readonly TagsOperations: Lister
    readonly GetTagsParam: Names
    readonly GetRecordCountForTagParam: Names
    readonly Tag: new () => { setName(name: string): void }
    readonly NewTagRequestWrapper: new () => {
      setTags(tags: readonly object[]): void
      setIds(ids: readonly bigint[]): void
    }
  }
  export const TokenStore: { readonly TokenStore: new () => object }
  export class Environment {
    constructor(url: string, tokenUrl: string, filesUrl: string)
  }
  export class OAuthBuilder {
    clientId(id: string): this
    clientSecret(secret: string): this
    refreshToken(token: string): this
    build(): { setAPIDomain(url: string): void }
  }
  interface Builder {
    environment(environment: Environment): Builder
    token(token: object): Builder
    store(store: object): Builder
    resourcePath(folder: string): Builder
    initialize(): Promise<void>
  }
  /** What it makes is there when its promise is kept. */
  export const InitializeBuilder: new () => PromiseLike<Builder>
}
