import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { computeBalance } from "../../booking/balance.ts"
import { type BookingRecord, getGuestName } from "../../booking/BookingView.ts"
import { formatAmount } from "../../money/Currency.ts"
import type { Offering } from "../../offering/Offering.ts"
import type { OrgKey } from "../../offering/OfferingStore.ts"
import type { Org } from "../../org/Org.ts"
import type { Instant } from "../../time/Instant.ts"
import { defangLinks } from "../../wire/addresses.ts"
import { withDescription } from "../../wire/Field.ts"
import { makeViewMapper } from "../../wire/snakeCase.ts"
import { exampleIds, Id, Timestamp } from "../../wire/View.ts"
import { formatStartTime } from "../message/formatStartTime.ts"

/** A reusable text with variables. */
export interface SavedReply {
  readonly id: string
  readonly orgId: string
  /** The title in the list of replies. */
  readonly title: string
  readonly body: string
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** The maximum number of saved replies per org. Pages and tools list all of them with their text. */
export const maxSavedReplies = 200

export type SavedReplyPatch = Partial<Pick<SavedReply, "title" | "body">>

/**
 * Stores saved replies. A saved reply must reference an existing org. A write that violates this rule fails as a
 * defect.
 */
export class SavedReplyStore extends Context.Tag("@trailbook/core/SavedReplyStore")<
  SavedReplyStore,
  {
    /** Finds a saved reply and locks it until the transaction ends. */
    readonly lock: (key: OrgKey) => Effect.Effect<Option.Option<SavedReply>>
    /** Returns all of an org's saved replies, in any order. */
    readonly list: (orgId: string) => Effect.Effect<ReadonlyArray<SavedReply>>
    /** Inserts a saved reply, or replaces the one with the same ID. */
    readonly put: (reply: SavedReply) => Effect.Effect<void>
    readonly remove: (key: OrgKey) => Effect.Effect<void>
  }
>() {}

/** The API representation of a saved reply. */
export const SavedReplyView = Schema.Struct({
  id: withDescription("its ID", Id, exampleIds.savedReply),
  org_id: withDescription("the outfitter", Id, exampleIds.org),
  title: withDescription("the title shown to staff", Schema.String, "Wetsuits"),
  body: withDescription(
    "the text with the variables {first_name}, {start_time}, {offering}, {meeting_point}, {org}, {booking_link}, " +
      "and {balance}",
    Schema.String,
    "Hi {first_name}, wetsuits are included. See you {start_time}!"
  ),
  created_at: withDescription("when the saved reply was created", Timestamp, "2027-04-12T18:03:11.482Z"),
  updated_at: withDescription("when the saved reply was last changed", Timestamp, "2027-04-12T18:03:11.482Z")
}).annotations({ identifier: "SavedReply" })
export type SavedReplyView = typeof SavedReplyView.Type

/** A saved reply in a list, with its variables filled in. */
export const FilledReplyView = Schema.Struct({
  ...SavedReplyView.fields,
  text: withDescription(
    "the body with the variables filled in for the requested booking or conversation",
    Schema.String,
    "Hi Ada, wetsuits are included. See you Sat, Jun 6 at 9:00 AM!"
  ),
  missing: withDescription(
    "unknown variables, and variables without a value",
    Schema.Array(Schema.String),
    []
  )
}).annotations({ identifier: "FilledReply" })

export const savedReplyView: (value: SavedReply) => SavedReplyView = makeViewMapper(SavedReplyView)

/** The variables in a saved reply. */
export const templateVariables = [
  "first_name",
  "start_time",
  "offering",
  "meeting_point",
  "org",
  "booking_link",
  "balance"
] as const

export type TemplateVariable = (typeof templateVariables)[number]

/** The values, keyed by variable. A variable without a value stays in the text so that a person can fill it in. */
export type TemplateValues = { readonly [Name in TemplateVariable]?: string }

/** A placeholder value for every variable. Used to find names in braces that are not variables. */
export const sampleTemplateValues: TemplateValues = Object.fromEntries(templateVariables.map((name) => [name, name]))

/**
 * Replaces each variable with its value in a single pass, so a value that looks like a variable is not replaced.
 * Unknown names in braces stay in the text.
 */
export const renderTemplate = (body: string, values: TemplateValues): string =>
  body.replace(/\{([a-z_]+)\}/g, (whole, name: string) => isVariable(name) ? values[name] ?? whole : whole)

/**
 * Returns the distinct names in braces that `renderTemplate` cannot replace: unknown names, and variables whose value
 * is empty or unknown.
 */
export const findMissingVariableNames = (text: string, values: TemplateValues): ReadonlyArray<string> => [
  ...new Set(
    Array.from(text.matchAll(/\{([\p{L}_][\p{L}\p{N}_ -]{0,39})\}/gu), ([, name = ""]) => name)
      .filter((name) => !isVariable(name) || (values[name] ?? "") === "")
  )
]

/** Explains why text with this variable cannot be sent. */
export const explainMissingVariable = (name: string): string =>
  isVariable(name)
    ? `{${name}} has no value for this guest. Remove it from the text.`
    : `{${name}} is not a variable. Use ${
      templateVariables.map((variable) => `{${variable}}`).join(", ")
    }, or remove the braces.`

const isVariable = (name: string): name is TemplateVariable =>
  (templateVariables as ReadonlyArray<string>).includes(name)

/** Returns the first name for a greeting such as "Hi {first_name}", or "there" if there is no name. */
export const getGreetingName = (name: string): string => defangLinks(name.trim().split(/\s+/u)[0] ?? "") || "there"

/** Returns the values of all variables for a booking's guest. */
export const getBookingTemplateValues = (
  record: BookingRecord,
  place: Pick<Offering, "location"> | undefined,
  { name: org, timezone }: Pick<Org, "name" | "timezone">,
  publicUrl: string
): Required<TemplateValues> => {
  const { dueCents } = computeBalance(record.booking)
  return {
    first_name: getGreetingName(getGuestName(record)),
    start_time: formatStartTime(record.booking.startsAt, timezone),
    offering: record.offering.name,
    meeting_point: place?.location ?? "",
    org,
    booking_link: `${publicUrl}/b/${record.booking.handle}`,
    balance: dueCents === 0 ? "" : formatAmount(dueCents, record.booking.currency)
  }
}
