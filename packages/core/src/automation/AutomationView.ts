import * as Schema from "effect/Schema"
import { withDescription } from "../wire/Field.ts"
import { toView } from "../wire/snakeCase.ts"
import { Metadata, Timestamp } from "../wire/View.ts"
import { type Automation, automations, autonomyLevels } from "./Automation.ts"
import { withDefaults } from "./automationSettings.ts"

/** The API representation of an automation. */
export const AutomationView = Schema.Struct({
  automation: withDescription("its name", Schema.Literal(...automations), "fill"),
  dial: withDescription(
    "off disables the automation, ask waits for approval, do_tell acts and reports, and do_quiet acts and logs",
    Schema.Literal(...autonomyLevels),
    "ask"
  ),
  settings: withDescription("its settings, including defaults", Metadata, {
    full_pct: 80,
    min_guests: null,
    min_guests_hours: 48
  }),
  updated_at: withDescription(
    "when the automation was last changed, or null if never",
    Schema.NullOr(Timestamp),
    "2027-05-01T15:00:00.000Z"
  )
}).annotations({ identifier: "Automation" })
export type AutomationView = typeof AutomationView.Type

export const automationView = (automation: Automation): AutomationView =>
  view({ ...automation, settings: { ...withDefaults(automation.automation, automation.settings) } })

const view = toView(AutomationView)
