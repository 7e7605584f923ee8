/**
 * The environment of a process whose clock is wrong by so many milliseconds, as a machine's may be. Only what the clock
 * shows is off; what takes its time takes as long as it does.
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
