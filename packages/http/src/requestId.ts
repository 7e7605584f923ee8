// Characters that are safe in logs, shells, and headers.
const safe = /^[\w.:@/+=-]{1,128}$/

/** Returns the caller's request ID if it is safe to repeat, otherwise a new one. */
export const requestId = (given: string | null | undefined): string =>
  typeof given === "string" && safe.test(given) ? given : process + (++made).toString(36)

// A random prefix per process and a counter per request: unique and cheap.
const process = `${crypto.randomUUID().slice(0, 18)}-`
let made = 0
