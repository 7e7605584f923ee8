import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Actor } from "../actor/Actor.ts"
import { hasChanges } from "../Decider.ts"
import * as Operation from "../operation/Operation.ts"
import type { OperationHandlers } from "../operation/Registry.ts"
import { AuditLog, toAuditActor } from "../staff/AuditLog.ts"
import * as Field from "../wire/Field.ts"
import { type Automation, automationNames, AutomationView, automationView, autonomyLevels } from "./Automation.ts"
import { Automations } from "./Automations.ts"

export const automationsList = Operation.make("automations.list", {
  route: ["GET", "/automations"],
  summary: "List the ops agent's four automations with their dials and settings.",
  input: Schema.Struct({}),
  output: Schema.Struct({
    data: Field.withDescription("weather, fill, brief, and reminders", Schema.Array(AutomationView))
  }),
  light: true,
  tool: {
    title: "List automations",
    toolset: "agent",
    description: "Lists the ops agent's automations with their dials and settings."
  }
})

export const automationsUpdate = Operation.make("automations.update", {
  route: ["PATCH", "/automations/:automation"],
  summary: "Set an automation's dial and settings.",
  description: "Omitted settings stay the same. To disable a limit, set it to null. For weather: default and " +
    "offerings (by offering ID), each with max_wind_kph, max_gust_kph, max_precip_mm, max_precip_pct, min_temp_c, " +
    "max_temp_c, thunder, min_flow_cfs, max_flow_cfs, min_gage_ft, max_gage_ft, look_ahead_hours (48), and action " +
    "(cancel or move). For fill: full_pct (80), min_guests (null), and min_guests_hours (48). For brief: see_you " +
    "(true). For reminders: before_24h (true), before_2h (true), after_6h (false, requires review_url), " +
    "balance_due_days (null), and before_24h_reply_id (null). Defaults are in parentheses.",
  input: Schema.Struct({
    automation: Field.sameAs(AutomationView.fields.automation, Field.oneOf(...automationNames)),
    dial: Field.optional(Field.sameAs(AutomationView.fields.dial, Field.oneOf(...autonomyLevels))),
    settings: Field.describedOptional("the settings to change", Field.metadata)
  }),
  output: AutomationView,
  scope: "admin",
  hints: { idempotent: true },
  tool: {
    title: "Update an automation",
    toolset: "agent",
    description:
      "Sets an automation's dial (off, ask, do_tell, do_quiet) and settings. With do_tell or do_quiet, the agent " +
      "cancels and moves trips, issues refunds up to the limit, and emails guests without approval."
  }
})

export const automationOperations = [automationsList, automationsUpdate] as const

export const automationHandlers = Effect.gen(function*() {
  const audit = yield* AuditLog
  const service = yield* Automations
  const recordChange = (actor: Actor["Type"]) => (before: Automation, after: Automation) => {
    const entry = { orgId: actor.orgId, by: toAuditActor(actor), subject: after.automation }
    return Effect.zipRight(
      before.dial === after.dial
        ? Effect.void
        : audit.add({ ...entry, what: "automation.dial_changed", name: after.dial }),
      hasChanges<Pick<Automation, "settings">>(before, { settings: after.settings })
        ? audit.add({ ...entry, what: "automation.settings_changed", name: "" })
        : Effect.void
    )
  }
  return {
    "automations.list": (_, { orgId }) =>
      Effect.map(service.list(orgId), (rows) => ({ data: rows.map(automationView) })),
    "automations.update": ({ automation, dial, settings }, actor) =>
      Effect.map(
        service.update({ orgId: actor.orgId, automation, dial, settings, record: recordChange(actor) }),
        automationView
      )
  } satisfies OperationHandlers<typeof automationOperations>
})
