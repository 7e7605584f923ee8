/**
 * Resources that an assistant can read without calling a tool. The list is short and fixed. Individual records are
 * addressed through templates.
 */
import { invalid, notFound, type Refusal } from "@trailbook/core"
import type { Actor } from "@trailbook/core/actor"
import { bookingsGet } from "@trailbook/core/booking"
import { customersGet } from "@trailbook/core/customer"
import { offeringsGet, offeringsList } from "@trailbook/core/offering"
import { canSeeGuests } from "@trailbook/core/operation"
import { orgGet } from "@trailbook/core/org"
import * as LocalDate from "@trailbook/core/time/LocalDate"
import * as Effect from "effect/Effect"
import { type Caller, canReadBookings } from "../Caller.ts"
import type { OperationCaller } from "../OperationCaller.ts"
import { resolveReferences } from "../tool/arguments.ts"
import { compactResult } from "../tool/compactResult.ts"
import { convertDefectToRefusal } from "../tool/convertDefectToRefusal.ts"
import { makeScheduleLoader } from "./scheduleLoader.ts"
import { parseViewUri, viewMeta, viewMimeType } from "./views.ts"

export type ResourceText = { uri: string; mimeType: string; text: string; _meta?: typeof viewMeta }

export interface Resources {
  readonly list: (caller: Caller) => Array<ResourceEntry>
  readonly templates: (caller: Caller) => Array<TemplateEntry>
  /** Rejects an unknown URI with `not_found`. */
  readonly read: (caller: Caller, uri: string) => Effect.Effect<ResourceText, Refusal>
}

export type ResourceEntry = { uri: string; name: string; title: string; description: string; mimeType: string }

export type TemplateEntry = Omit<ResourceEntry, "uri"> & { uriTemplate: string }

export const make = (call: OperationCaller): Resources => {
  const loadSchedule = makeScheduleLoader(call)
  const loadDays = (actor: Actor["Type"], count: number, date: string | undefined) => {
    const from = date === undefined ? undefined : LocalDate.parse(date)
    return date !== undefined && from === undefined
      ? invalid("date: must be a valid date in the format YYYY-MM-DD, with a year from 1970 to 9999")
      : loadSchedule(actor, { days: count, from })
  }
  const readers: Readonly<Record<string, Reader>> = {
    "org": (actor) => call(actor, orgGet, {}),
    "today": (actor) => loadDays(actor, 1, undefined),
    "week": (actor) => loadDays(actor, 7, undefined),
    "days/": (actor, date) => loadDays(actor, 1, date),
    "weeks/": (actor, date) => loadDays(actor, 7, date),
    "offerings": (actor) => call(actor, offeringsList, {}),
    "offerings/": (actor, text) => call(actor, offeringsGet, { id: parseLabel(text) }),
    "bookings/": (actor, text) =>
      Effect.flatMap(
        resolveReferences(call)(actor, bookingsGet, { id: parseLabel(text) }),
        ({ id }) => call(actor, bookingsGet, { id: String(id) })
      ),
    "customers/": (actor, text) => call(actor, customersGet, { id: parseLabel(text) })
  }
  return {
    list: (caller) => canReadBookings(caller) ? fixedEntries.map((entry) => ({ ...entry })) : [],
    templates: (caller) =>
      canReadBookings(caller)
        ? templateEntries.filter((entry) => entry !== guestEntry || canSeeGuests(caller.actor)).map((entry) => ({
          ...entry
        }))
        : [],
    read: (caller, uri) => {
      const { views } = caller
      const view = parseViewUri(uri)
      if (view !== undefined && views !== undefined) {
        return Effect.map(call(caller.actor, orgGet, {}), ({ currency }) => ({
          uri,
          mimeType: viewMimeType,
          text: views(view, currency),
          _meta: viewMeta
        })).pipe(convertDefectToRefusal("read a view"))
      }
      const [, name = "", segment = ""] = /^trailbook:\/\/([a-z]+\/?)([^/]*)$/.exec(uri) ?? []
      const reader = Object.hasOwn(readers, name) ? readers[name] : undefined
      const text = decode(segment)
      // Resources outside the client's filter count as unknown.
      if (
        reader === undefined || text === undefined || (text === "") === name.endsWith("/") || !canReadBookings(caller)
      ) {
        return Effect.fail(notFound("resource", uri))
      }
      return reader(caller.actor, text).pipe(
        // Compact the resource like a tool result, so that text from guests is marked here, too.
        Effect.map((value) => ({ uri, mimeType: json, text: JSON.stringify(compactResult(value)) })),
        convertDefectToRefusal(`read ${name}`)
      )
    }
  }
}

type Reader = (actor: Actor["Type"], text: string) => Effect.Effect<unknown, Refusal>

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const json = "application/json"

const makeEntry = (name: string, title: string, description: string) => ({ name, title, description, mimeType: json })

const fixedEntries: ReadonlyArray<ResourceEntry> = [
  { uri: "trailbook://org", ...makeEntry("org", "The outfitter", "Name, time zone, currency, and settings") },
  { uri: "trailbook://today", ...makeEntry("today", "Today", "Today's trips and guests in local time") },
  { uri: "trailbook://week", ...makeEntry("week", "This week", "Trips and guests for the next seven days") },
  { uri: "trailbook://offerings", ...makeEntry("offerings", "Offerings", "All offerings") }
]

const guestEntry: TemplateEntry = {
  uriTemplate: "trailbook://customers/{customer}",
  ...makeEntry("customer", "A guest", "A guest with their bookings, by ID")
}

const templateEntries: ReadonlyArray<TemplateEntry> = [
  {
    uriTemplate: "trailbook://days/{date}",
    ...makeEntry("day", "A day", "Trips and guests on a local date, YYYY-MM-DD")
  },
  {
    uriTemplate: "trailbook://weeks/{date}",
    ...makeEntry("days", "Seven days", "Trips and guests for seven days, starting on a local date, YYYY-MM-DD")
  },
  { uriTemplate: "trailbook://offerings/{offering}", ...makeEntry("offering", "An offering", "One offering by ID") },
  {
    uriTemplate: "trailbook://bookings/{booking}",
    ...makeEntry("booking", "A booking", "A booking, by ID or reference")
  },
  guestEntry
]

/** Formats a readable ID for lists: a few words, a tilde, and the ID, as in `browns-canyon-half-day~0198c5a2-…`. */
export const formatReadableId = (words: string, id: string): string => {
  const prefix = words.toLowerCase().normalize("NFKD").replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 40)
  return prefix === "" ? id : `${prefix}~${id}`
}

/** Returns the ID from a label. An ID alone is also a valid label. */
const parseLabel = (text: string): string => text.slice(text.lastIndexOf("~") + 1)
