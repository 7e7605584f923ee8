import type { Route } from "./Route.ts"
import { TrailbookError } from "./TrailbookError.ts"

/** A request that is sent unchanged on every attempt. */
export interface PreparedRequest {
  readonly method: Route["method"]
  /** The path, including the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | FormData | null
  /**
   * Whether the caller can also safely repeat the call. A generated idempotency key does not make this safe, because
   * the caller does not know the key.
   */
  readonly isRepeatableByCaller: boolean
}

/**
 * Distributes the input fields among the path, query, and body. Generates an idempotency key if the input lacks one.
 */
export const buildRequest = (route: Route, input: Readonly<Record<string, unknown>>): PreparedRequest => {
  const { isRepeatable, key, method } = route
  const fields: Record<string, unknown> = { ...input }
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = fields[name]
    delete fields[name]
    return segment(name, value)
  })
  const isRepeatableByCaller = isRepeatable && (key === undefined || fields[key] !== undefined)
  if (key !== undefined) fields[key] ??= uuid()

  return method === "GET" || method === "DELETE"
    ? { method, path: path + queryOf(fields), headers: {}, body: null, isRepeatableByCaller }
    : {
      method,
      path,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(fields),
      isRepeatableByCaller
    }
}

/** Rejects IDs that would change the path, such as an empty string or `..`. */
const segment = (name: string, value: unknown): string => {
  if (typeof value === "string" && /^[\w-]+$/.test(value)) return value
  const message = `${name}: must be an ID`
  throw new TrailbookError({ code: "invalid_request", status: 400, message, retryable: false })
}

const queryOf = (fields: Readonly<Record<string, unknown>>): string => {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()
  return query === "" ? "" : `?${query}`
}

/** Generates a version 4 UUID. In browsers, `crypto.randomUUID` is available only on pages served over HTTPS. */
const uuid = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6] ?? 0) & 0x0f | 0x40
  bytes[8] = (bytes[8] ?? 0) & 0x3f | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
}
