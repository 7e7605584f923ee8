/**
 * Whether an assistant was told what a program was told: by rules of its own
 * that say what may be left out and where the rest must stand. Local times are
 * made by the platform, not by our zones.
 */
type Json = { readonly [name: string]: unknown }

/** What of a program's answer an assistant was not told, or was told otherwise, by path; and what it was told besides. */
export const differences = (rest: unknown, told: unknown): ReadonlyArray<string> => {
  if (!isJson(rest) || !isJson(told)) return ["no data"]
  const around = new Set(["now_local", "timezone", "note", "affected", "next_from"])
  // One that lists nothing has no times, and so no zone.
  const zone = typeof told["timezone"] === "string" ? told["timezone"] : "UTC"
  return compare(rest, told, zone, "", false).filter((path) => !around.has(path))
}

/** Whose it is, and where the guest's own page is, are nobody's business but the key's and the guest's. */
const unsaid = new Set(["org_id", "handle"])

const compare = (rest: Json, told: Json, zone: string, path: string, isRow: boolean): ReadonlyArray<string> => {
  const used = new Set<string>()
  const found: Array<string> = []
  const same = (name: string, value: unknown, at: unknown) => {
    used.add(name)
    found.push(...differ(value, at, zone, `${path}${name}`))
  }
  const wrote = isJson(told["guest_wrote"]) ? told["guest_wrote"] : {}
  const ofGuest = new Set(typedByGuest(rest))
  for (const [name, value] of Object.entries(rest)) {
    if (unsaid.has(name) || value === null || value === "" || isEmptyObject(value)) continue
    // Where it was made is said of the one, not in a list of many; an event is when it was made.
    if (isRow && !("type" in rest) && (name === "created_at" || name === "source")) continue
    // A guest's own bookings do not say again whose they are.
    if (isRow && name === "customer" && path.startsWith("bookings.")) continue
    const [, stem = ""] = /^(.*)_id$/.exec(name) ?? []
    const beside = rest[stem]
    if (isJson(beside) && beside["id"] === value) continue
    if (name === "metadata") same(name, JSON.stringify(value), JSON.stringify(told[name]))
    else if (ofGuest.has(name)) found.push(...differ(value, wrote[name], zone, `${path}guest_wrote.${name}`))
    else if (/(^|_)at$/.test(name) && typeof value === "string") {
      if (name === "starts_at") same(name, value, told[name])
      const local = name === "at" ? "at_local" : name.replace(/_at$/, "_local")
      same(local, localOf(value, zone), told[local])
    } else same(name, value, told[name])
  }
  if (ofGuest.size > 0) used.add("guest_wrote")
  return [...found, ...Object.keys(told).filter((name) => !used.has(name)).map((name) => `${path}${name}`)]
}

const typedByGuest = (rest: Json): ReadonlyArray<string> => {
  if ("email" in rest) return ["name", "email", "phone"]
  if (rest["direction"] === "to_outfitter") return ["from_name", "from_email", "body", "attachments"]
  if ("from_email" in rest) return ["from_name", "from_email"]
  return "reference" in rest ? ["notes"] : []
}

const differ = (rest: unknown, told: unknown, zone: string, path: string): ReadonlyArray<string> => {
  if (Array.isArray(rest)) {
    if (!Array.isArray(told) || told.length !== rest.length) return [`${path}.length`]
    return rest.flatMap((row: unknown, at) =>
      isJson(row) && isJson(told[at])
        ? compare(row, told[at], zone, `${path}.${at}.`, true)
        : differ(row, told[at], zone, path)
    )
  }
  if (isJson(rest) && isJson(told)) return compare(rest, told, zone, `${path}.`, false)
  return Object.is(rest, told) ? [] : [path]
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** `Sun 2027-05-02 09:00`. */
const localOf = (instant: string, timeZone: string): string => {
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

/** What a program asks to be told what an assistant is told that says no more than this. */
export const asAssistant = (name: string, fields: object, input: Json): Json => ({
  ...("limit" in fields ? { limit: 20 } : {}),
  ...(name === "events.list" && input["after"] === undefined ? { order: "desc" } : {}),
  ...input
})

/** An assistant is shown whole days of availability, as many as have 40 starts. */
export const wholeDays = (answer: unknown): unknown => {
  if (!isJson(answer) || !Array.isArray(answer["data"])) return answer
  const { data, timezone } = answer as {
    readonly data: ReadonlyArray<{ readonly starts_at: string }>
    timezone: string
  }
  const days = data.map(({ starts_at }) => localOf(starts_at, timezone).slice("Sun ".length, "Sun 2027-05-02".length))
  const end = days[40]
  const shown = end === undefined ? data : data.filter((_, at) => (days[at] ?? "") < end || days[at] === days[0])
  return { ...answer, data: shown }
}

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

const isEmptyObject = (value: unknown): boolean => isJson(value) && Object.values(value).every(isEmptyObject)
