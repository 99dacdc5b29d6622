/**
 * Signs in with something that its vendor may take back with its use and give anew. `spend` is handed the settings as they are stored by now, alone
 * among all who hold them; its `changed` members are stored before what it was granted is handed on. It asks no gate. @throws what `spend`
 * throws, and AppError CRM_UNAVAILABLE where somebody gave other settings meanwhile.
 */
export type RenewSettings = <T>(
  spend: (values: Readonly<Record<string, unknown>>) => Promise<{
    readonly granted: T
    readonly changed: Readonly<Record<string, unknown>> | null
  }>,
) => Promise<T>
