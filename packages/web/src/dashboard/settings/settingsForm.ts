import type { OrgView } from "@trailbook/core/org/OrgView"
import { unitSystems } from "@trailbook/core/org/units"
import { invalid } from "@trailbook/core/Refusal"
import type { Form } from "@trailbook/http/form"
import * as Effect from "effect/Effect"
import { amountIn, formatInput } from "../parts/money.ts"
import { readInteger, readOptionalInteger } from "../parts/numbers.ts"

/** Field labels, also used in error messages. */
export const labels = {
  name: "Name",
  units: "Units",
  accent: "Color",
  logo_url: "Logo",
  cover_url: "Cover",
  reply_window: "Reply time",
  away_notice: "Away notice",
  review_url: "Review link",
  guest_changes_hours: "Change deadline (hours before start)",
  brief_hour: "Morning brief",
  ops_daily_cap: "Maximum actions in 24 hours",
  quiet_from: "Quiet from",
  quiet_to: "Quiet until",
  refund_ceiling: "Maximum refund"
}

/** Operation field names that differ from the form field names. */
export const fieldAliases = { refund_ceiling_cents: "refund_ceiling" }

export type Group = "name" | "page" | "replies" | "guests" | "limits"

/** Default accent color. */
export const plainAccent = "#1f5f46"

/** Settings as form values. */
export const typedOrg = (org: OrgView): Readonly<Record<string, string>> => ({
  name: org.name,
  units: org.units ?? "",
  accent: org.accent ?? plainAccent,
  logo_url: org.logo_url ?? "",
  cover_url: org.cover_url ?? "",
  reply_window: org.reply_window ?? "",
  auto_ack: org.auto_ack ? "on" : "",
  away_notice: org.away_notice ?? "",
  review_url: org.review_url ?? "",
  guest_changes_hours: String(org.guest_changes_hours ?? ""),
  confirm_email: org.confirm_email ? "on" : "",
  brief_hour: String(org.brief_hour),
  ops_daily_cap: String(org.ops_daily_cap),
  quiet_from: String(org.quiet_from ?? ""),
  quiet_to: String(org.quiet_to ?? ""),
  refund_ceiling: org.refund_ceiling_cents === null ? "" : formatInput(org.refund_ceiling_cents, org.currency)
})

/** Submitted group as operation input. The other groups do not change. */
export const patchIn = (form: Form, currency: string) => {
  const text = (name: string) => form[name] ?? ""
  switch (form["group"]) {
    case "name":
      return Effect.map(unitsIn(form["units"]), (units) => ({ name: text("name"), ...units }))
    case "page":
      return Effect.succeed({
        accent: form["plain"] === "on" || text("accent") === plainAccent ? null : text("accent"),
        logo_url: text("logo_url"),
        cover_url: text("cover_url")
      })
    case "replies":
      return Effect.succeed({
        reply_window: text("reply_window"),
        auto_ack: form["auto_ack"] === "on",
        away_notice: text("away_notice"),
        review_url: text("review_url")
      })
    case "guests":
      return Effect.map(readOptionalInteger(form, "guest_changes_hours"), (guest_changes_hours) => ({
        guest_changes_hours,
        confirm_email: form["confirm_email"] === "on"
      }))
    case "limits":
      return Effect.all({
        brief_hour: readInteger(form, "brief_hour"),
        ops_daily_cap: readInteger(form, "ops_daily_cap"),
        quiet_from: readOptionalInteger(form, "quiet_from"),
        quiet_to: readOptionalInteger(form, "quiet_to"),
        refund_ceiling_cents: text("refund_ceiling").trim() === ""
          ? Effect.succeed(null)
          : amountIn(form, "refund_ceiling", currency)
      })
    default:
      return invalid("Not saved: submit one of the forms on this page.")
  }
}

/** Field `units`. An empty value resets it to the default of the time zone. */
const unitsIn = (typed: string | undefined) => {
  if (typed === undefined) return Effect.succeed({})
  if (typed === "") return Effect.succeed({ units: null })
  const units = unitSystems.find((known) => known === typed)
  return units === undefined
    ? invalid(`units: must be one of ${unitSystems.join(", ")}`)
    : Effect.succeed({ units })
}
