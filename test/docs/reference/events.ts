/** Writes `docs/reference/events.md`: each event type with its trigger and its data. */
import { eventDefinitions, EventView } from "@trailbook/core/event"
import type { Event } from "@trailbook/core/port"
import { webhookTestEvent } from "@trailbook/core/webhook"
import * as Field from "@trailbook/core/wire/Field"
import * as Option from "effect/Option"
import * as AST from "effect/SchemaAST"
import { anchor, code, link, page, table, writtenNotice } from "./markdown.ts"

export const eventsPage = (): string => {
  return page(
    "# Events",
    "",
    writtenNotice,
    "",
    "Every change emits an event. Read events with [events.list](operations.md#eventslist), or [receive webhooks](../how-to/receive-webhooks.md).",
    "[Events](../concepts/events.md) describes how events are numbered and when they are served.",
    "",
    table(
      ["field", "meaning"],
      Object.entries(EventView.fields).map(([name, field]) => [code(name), Field.getDescription(field) ?? ""])
    ),
    "",
    "## Types",
    "",
    table(
      ["type", "emitted when", "`data`"],
      [...eventDefinitions, webhookTestEvent].map(({ extraData, data, type, when }: Event.Any) => {
        const name = AST.getIdentifierAnnotation(data.ast).pipe(Option.getOrThrow)
        const resource = link(name, `operations.md#${anchor(name)}`)
        return [code(type), when, extraData === undefined ? resource : `${resource} with ${extraData}`]
      })
    ),
    "",
    "New types and fields can be added, so ignore unknown ones. An endpoint can subscribe to types that do not exist yet, and to all types with `*`."
  )
}
