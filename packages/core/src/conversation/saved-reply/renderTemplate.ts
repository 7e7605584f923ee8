/** Fills in the variables in a saved reply. */
import { computeBalance } from "../../booking/balance.ts"
import type { BookingRecord } from "../../booking/BookingView.ts"
import { getGuestName } from "../../booking/getGuestName.ts"
import { formatAmount } from "../../money/Currency.ts"
import type { Offering } from "../../offering/Offering.ts"
import type { Org } from "../../org/Org.ts"
import { defangLinks } from "../../wire/addresses.ts"
import { formatStartTime } from "../message/formatStartTime.ts"

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
export const sampleValues: TemplateValues = Object.fromEntries(templateVariables.map((name) => [name, name]))

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
export const findUnresolvedNames = (text: string, values: TemplateValues): ReadonlyArray<string> => [
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
