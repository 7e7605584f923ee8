// What every log, shell and header can carry as it is.
const safe = /^[\w.:@/+=-]{1,128}$/

/**
 * The caller's own id for a request, or a new one where it gave none that is
 * safe to repeat.
 */
export const requestId = (given: string | null | undefined): string =>
  typeof given === "string" && safe.test(given) ? given : process + (++made).toString(36)

// Chance once for the process and a count for the request: unique, and free.
const process = `${crypto.randomUUID().slice(0, 18)}-`
let made = 0
