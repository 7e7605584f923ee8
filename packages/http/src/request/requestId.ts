// Characters that are safe in logs, shells, and headers.
const safe = /^[\w.:@/+=-]{1,128}$/

/** Returns the caller's request ID if it is safe to repeat, or else a new ID. */
export const requestId = (callerId: string | null | undefined): string =>
  typeof callerId === "string" && safe.test(callerId) ? callerId : process + (++counter).toString(36)

// IDs combine a random prefix per process with a counter, which makes them unique and cheap to create.
const process = `${crypto.randomUUID().slice(0, 18)}-`
let counter = 0
