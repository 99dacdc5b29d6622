/** A deployment by the Metadata API, as the org stores it. */

/** The result for a field or a permission set. */
export interface Component {
  readonly componentType: string
  readonly fileName: string
  readonly fullName: string
  readonly created: boolean
  readonly problem?: string
  readonly apply: () => void
}

export interface Deployment {
  readonly id: string
  readonly at: string
  /** Validated without being applied. */
  readonly checkOnly: boolean
  readonly components: readonly Component[]
}
