/** Loaded before everything else (`node --import`): this process's clock is off by PANJI_TEST_SKEW_MS. */
const skewMs = Number(process.env['PANJI_TEST_SKEW_MS'] ?? 0)
const RealDate = Date
const realNow = Date.now.bind(Date)

Date.now = () => realNow() + skewMs
globalThis.Date = new Proxy(RealDate, {
  construct: (target, given: [], newTarget) =>
    Reflect.construct(target, given.length === 0 ? [realNow() + skewMs] : given, newTarget) as Date,
  apply: () => new RealDate(realNow() + skewMs).toString(),
})
