/** `docs/reference/events.md`: every type, when it is written and what its data is. */
import { events } from "@trailbook/core/event/eventTypes"
import { EventView } from "@trailbook/core/event/EventView"
import type * as Event from "@trailbook/core/port/Event"
import { webhookTest } from "@trailbook/core/webhook/webhookTest"
import * as Field from "@trailbook/core/wire/Field"
import * as Option from "effect/Option"
import * as AST from "effect/SchemaAST"
import { anchor, code, link, page, table, written } from "./markdown.ts"

export const eventsPage = (): string => {
  return page(
    "# Events",
    "",
    written,
    "",
    "Every change writes an event. Read them with [events.list](operations.md#eventslist), or have them sent to you:",
    "[Receive webhooks](../how-to/receive-webhooks.md). How they are numbered and when they are served: [Events](../concepts/events.md).",
    "",
    table(
      ["field", "meaning"],
      Object.entries(EventView.fields).map(([name, field]) => [code(name), Field.meaningOf(field) ?? ""])
    ),
    "",
    "## Types",
    "",
    table(
      ["type", "written when", "`data`"],
      events.map(({ beside, data, type, when }: Event.Any) => {
        const name = AST.getIdentifierAnnotation(data.ast).pipe(Option.getOrThrow)
        const resource = link(name, `operations.md#${anchor(name)}`)
        return [code(type), when, beside === undefined ? resource : `${resource} with ${beside}`]
      })
    ),
    "",
    "Types and fields may be added: ignore those that you do not know. An endpoint may subscribe to types that do not exist yet, and to `*` for all.",
    "",
    `An event of the type \`${webhookTest.type}\` is sent when ${webhookTest.when}`
  )
}
