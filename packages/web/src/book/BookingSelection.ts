import type { SlotView } from "@trailbook/core/availability"
import type { Extras, Party } from "@trailbook/core/pricing"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import { isUuid } from "../operationCaller.ts"

/** The guest's choices so far, parsed from a URL query or a form. Invalid values are dropped. */
export interface BookingSelection {
  /** The month, such as `2026-11`. */
  readonly month: string | undefined
  /** The date, such as `2026-11-23`. */
  readonly date: string | undefined
  readonly quantity: number
  readonly party: PartyAndExtras | undefined
  readonly periods: number | undefined
  /** A session ID or a start time. */
  readonly slot: string | undefined
}

/** The rates and extras, in a single parameter so that one link can change both. */
export interface PartyAndExtras {
  readonly party: Party
  readonly extras: Extras
}

/** Formats the party and extras, such as `adult:2,child:1/wetsuit:3`. */
export const formatParty = ({ extras, party }: PartyAndExtras): string => {
  const rates = party.map(({ quantity, rate_id }) => `${rate_id}:${quantity}`).join(",")
  return extras.length === 0
    ? rates
    : `${rates}/${extras.map(({ extra_id, quantity }) => `${extra_id}:${quantity}`).join(",")}`
}

const parseParty = (text: string): PartyAndExtras | undefined => {
  const [rates = "", extras = ""] = text.split("/")
  const party = counts(rates).map(([rate_id, quantity]) => ({ rate_id, quantity }))
  return party.length === 0
    ? undefined
    : { party, extras: counts(extras).map(([extra_id, quantity]) => ({ extra_id, quantity })) }
}

/** Parses quantities by ID. Reads at most 20 items, because the operations accept no more. */
const counts = (text: string): ReadonlyArray<readonly [id: string, quantity: number]> =>
  text.split(",").slice(0, 20).flatMap((item) => {
    const [, id, quantity] = /^([\w-]{1,40}):([1-9]\d{0,3})$/.exec(item) ?? []
    return id === undefined ? [] : [[id, Number(quantity)] as const]
  })

export const parseSelection = (fields: Readonly<Record<string, string | undefined>>): BookingSelection => {
  const month = `${fields["month"] ?? ""}-01`
  const date = fields["date"] ?? ""
  const slot = fields["slot"] ?? ""
  return {
    month: LocalDate.parse(month) === undefined ? undefined : month.slice(0, 7),
    date: LocalDate.parse(date) === undefined ? undefined : date,
    quantity: count(fields["quantity"], 10_000) ?? 1,
    party: parseParty(fields["party"] ?? ""),
    periods: count(fields["periods"], 60),
    slot: isUuid(slot) || isInstant(slot) ? slot : undefined
  }
}

/** Returns a request's query parameters. If a parameter is repeated, only its first value is used. */
export const readQueryParameters = (request: Request): Readonly<Record<string, string | undefined>> => {
  const query: Record<string, string> = Object.create(null)
  for (const [name, value] of new URL(request.url).searchParams) query[name] ??= value
  return query
}

const isInstant = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)

const count = (text: string | undefined, most: number): number | undefined =>
  text === undefined || !/^[1-9]\d{0,4}$/.test(text) ? undefined : Math.min(Number(text), most)

/** The contact details as typed, and the form's idempotency key. */
export interface ContactFormValues {
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly notes: string
  readonly discount_code: string
  /**
   * The idempotency key, which is unique to each rendered form. Submitting the same form again does not create a second
   * booking.
   */
  readonly key: string
}

export const parseContactForm = (fields: Readonly<Record<string, string | undefined>>): ContactFormValues => ({
  name: fields["name"] ?? "",
  email: fields["email"] ?? "",
  phone: fields["phone"] ?? "",
  notes: fields["notes"] ?? "",
  discount_code: (fields["discount_code"] ?? "").trim(),
  key: isUuid(fields["key"] ?? "") ? fields["key"] ?? "" : crypto.randomUUID()
})

/** Returns the value that identifies a start time: the session ID for a class, or the start time itself. */
export const getSlotKey = ({ session_id, starts_at }: Pick<SlotView, "session_id" | "starts_at">): string =>
  session_id ?? starts_at
