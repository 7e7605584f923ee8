import * as Schema from "effect/Schema"
import { means } from "../wire/Field.ts"
import { viewOf } from "../wire/naming.ts"
import { Metadata, Timestamp } from "../wire/View.ts"
import { type Automation, automations, dials } from "./Automation.ts"
import { complete } from "./settings.ts"

/**
 * An automation on the wire.
 *
 * @category schemas
 */
export const AutomationView = Schema.Struct({
  automation: means("its name", Schema.Literal(...automations), "fill"),
  dial: means(
    "off; ask proposes and waits; do_tell acts and tells; do_quiet acts and logs",
    Schema.Literal(...dials),
    "ask"
  ),
  settings: means("its settings, with what was never set", Metadata, {
    full_pct: 80,
    min_guests: null,
    min_guests_hours: 48
  }),
  updated_at: means("when it was set; null until then", Schema.NullOr(Timestamp), "2027-05-01T15:00:00.000Z")
}).annotations({ identifier: "Automation" })
export type AutomationView = typeof AutomationView.Type

/**
 * @category converting
 */
export const automationView = (automation: Automation): AutomationView =>
  view({ ...automation, settings: { ...complete(automation.automation, automation.settings) } })

const view = viewOf(AutomationView)
