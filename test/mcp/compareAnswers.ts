/**
 * Compares an MCP result with the REST response to the same call. Rules that are independent of the code under test
 * define which fields can be missing and where the other fields must appear. The local times come from `Intl`, not from
 * our own time zone code.
 */
type Json = { readonly [name: string]: unknown }

/** Returns the paths of fields that the MCP result omits, changes, or adds. */
export const differences = (rest: unknown, mcp: unknown): ReadonlyArray<string> => {
  if (!isJson(rest) || !isJson(mcp)) return ["no data"]
  const around = new Set(["now_local", "timezone", "note", "affected", "next_from"])
  // A result without rows contains no times and no time zone.
  const zone = typeof mcp["timezone"] === "string" ? mcp["timezone"] : "UTC"
  return compare(rest, mcp, zone, "", false).filter((path) => !around.has(path))
}

/** The API key already determines the org, and the handle and QR code belong to the guest. */
const unsaid = new Set(["org_id", "handle", "check_in_url"])

const compare = (rest: Json, mcp: Json, zone: string, path: string, isRow: boolean): ReadonlyArray<string> => {
  const usedNames = new Set<string>()
  const findings: Array<string> = []
  const expectSame = (name: string, value: unknown, at: unknown) => {
    usedNames.add(name)
    findings.push(...findDifferences(value, at, zone, `${path}${name}`))
  }
  const wrote = isJson(mcp["guest_wrote"]) ? mcp["guest_wrote"] : {}
  const ofGuest = new Set(listGuestTexts(rest))
  for (const [name, value] of Object.entries(rest)) {
    if (unsaid.has(name) || isEmpty(value)) continue
    // Rows in a list omit their source and creation time. Events and messages keep their creation time.
    if (isRow && !("type" in rest) && !("direction" in rest) && (name === "created_at" || name === "source")) continue
    // Bookings within a customer do not repeat the customer.
    if (isRow && name === "customer" && path.startsWith("bookings.")) continue
    const [, stem = ""] = /^(.*)_id$/.exec(name) ?? []
    const sibling = rest[stem]
    if (isJson(sibling) && sibling["id"] === value) continue
    if (name === "metadata") expectSame(name, JSON.stringify(value), JSON.stringify(mcp[name]))
    else if (ofGuest.has(name)) {
      findings.push(...findDifferences(value, wrote[name], zone, `${path}guest_wrote.${name}`))
    } else if (/(^|_)at$/.test(name) && typeof value === "string") {
      if (name === "starts_at") expectSame(name, value, mcp[name])
      const local = name === "at" ? "at_local" : name.replace(/_at$/, "_local")
      expectSame(local, toLocal(value, zone), mcp[local])
    } else expectSame(name, value, mcp[name])
  }
  if (ofGuest.size > 0) usedNames.add("guest_wrote")
  return [...findings, ...Object.keys(mcp).filter((name) => !usedNames.has(name)).map((name) => `${path}${name}`)]
}

const listGuestTexts = (rest: Json): ReadonlyArray<string> => {
  if ("email" in rest) return ["name", "email", "phone"]
  if (rest["direction"] === "to_outfitter") return ["from_name", "from_email", "body", "attachments"]
  if ("from_email" in rest) return ["from_name", "from_email"]
  return "reference" in rest ? ["notes"] : []
}

const findDifferences = (rest: unknown, mcp: unknown, zone: string, path: string): ReadonlyArray<string> => {
  if (Array.isArray(rest)) {
    if (!Array.isArray(mcp) || mcp.length !== rest.length) return [`${path}.length`]
    return rest.flatMap((row: unknown, at) =>
      isJson(row) && isJson(mcp[at])
        ? compare(row, mcp[at], zone, `${path}.${at}.`, true)
        : findDifferences(row, mcp[at], zone, path)
    )
  }
  if (isJson(rest) && isJson(mcp)) return compare(rest, mcp, zone, `${path}.`, false)
  return Object.is(rest, mcp) ? [] : [path]
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Formats an instant as local time, such as `Sun 2027-05-02 09:00`. */
const toLocal = (instant: string, timeZone: string): string => {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat("en-US", {
    timeZone,
    weekday: "short",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23"
  })
  formats.set(timeZone, format)
  const parts = Object.fromEntries(format.formatToParts(new Date(instant)).map(({ type, value }) => [type, value]))
  const { day, hour, minute, month, weekday, year = "" } = parts
  return `${weekday} ${year.padStart(4, "0")}-${month}-${day} ${hour}:${minute}`
}

/**
 * Returns the REST input that corresponds to an MCP input. The MCP defaults are a limit of 20 and, for events, the
 * newest first.
 */
export const asAssistant = (name: string, fields: object, input: Json): Json => ({
  ...("limit" in fields ? { limit: 20 } : {}),
  ...(name === "events.list" && input["after"] === undefined ? { order: "desc" } : {}),
  ...input
})

/**
 * Returns only complete days of availability, as MCP does: as many days as fit into 40 start times, but at least one
 * day.
 */
export const wholeDays = (answer: unknown): unknown => {
  if (!isJson(answer) || !Array.isArray(answer["data"])) return answer
  const { data, timezone } = answer as {
    readonly data: ReadonlyArray<{ readonly starts_at: string }>
    timezone: string
  }
  const days = data.map(({ starts_at }) => toLocal(starts_at, timezone).slice("Sun ".length, "Sun 2027-05-02".length))
  const end = days[40]
  const keptRows = end === undefined ? data : data.filter((_, at) => (days[at] ?? "") < end || days[at] === days[0])
  return { ...answer, data: keptRows }
}

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

const isEmpty = (value: unknown): boolean =>
  value === null || value === "" || (isJson(value) && Object.values(value).every(isEmpty))
