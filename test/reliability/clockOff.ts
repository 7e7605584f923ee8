/**
 * Returns the environment of a process whose `Date` is off by this many milliseconds. Timers and durations are not
 * affected.
 */
export const clockOff = (byMillis: number): { readonly NODE_OPTIONS: string } => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code(byMillis))}`
})

const code = (byMillis: number): string => `
const Right = Date
globalThis.Date = class Date extends Right {
  static now() { return Right.now() + ${byMillis} }
  constructor(...given) { given.length === 0 ? super(Right.now() + ${byMillis}) : super(...given) }
}`
