/**
 * Signs in with a credential that the vendor may replace when it is used. `spend` receives the settings as they are
 * stored now, with exclusive access to them; its `changed` members are stored before what it was granted is returned.
 * Does not wait for the call gate.
 * @throws what `spend` throws, and AppError CRM_UNAVAILABLE if a person changed the settings in between.
 */
export type RenewSettings = <T>(
  spend: (values: Readonly<Record<string, unknown>>) => Promise<{
    readonly granted: T
    readonly changed: Readonly<Record<string, unknown>> | null
  }>,
) => Promise<T>
