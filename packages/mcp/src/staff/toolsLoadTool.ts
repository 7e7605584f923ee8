import * as Operation from "@trailbook/core/operation/Operation"
import * as Field from "@trailbook/core/wire/Field"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { maxPageCharacters } from "../tool/sizeLimit.ts"
import type { ToolEntry } from "../tool/Tools.ts"
import { makeStaffTool, type StaffTool } from "./staffTool.ts"

export const toolsLoadOperation = Operation.make("tools.load", {
  route: ["GET", "/desk/tools"],
  summary: "Load unlisted tools.",
  input: Schema.Struct({
    group: Field.withDescription("the group of tools", Field.oneOf(...Operation.toolsets)),
    from: Field.optional(Field.withDescription("next_from from the previous page", Field.text({ max: 64 })))
  }),
  output: Schema.Struct({
    tools: Field.withDescription(
      "the tools in the group",
      Schema.Array(Schema.Struct({ name: Schema.String, description: Schema.String, input_schema: Schema.Unknown }))
    ),
    next_from: Schema.optionalWith(Schema.String, { exact: true })
  }),
  tool: {
    title: "Load more tools",
    toolset: "bookings",
    description: "Lists more tools that can be called by name: bookings (attendance, refunds, guests), messages " +
      "(drafts, broadcasts, saved replies), catalog (offerings, hours, departures, closures), agent, admin (settings, " +
      "webhooks, export), and reports."
  }
})

/**
 * Creates the `tools_load` tool. `unlisted` returns the tools in a group that the caller can call but that its tool
 * list does not include.
 */
export const makeToolsLoadTool = (
  unlisted: (group: Operation.Toolset) => ReadonlyArray<ToolEntry>
): StaffTool =>
  makeStaffTool(toolsLoadOperation, (_call, _actor, { from, group }) => {
    const entries = unlisted(group).map(({ description, inputSchema, name }) => ({
      name,
      description,
      input_schema: inputSchema
    }))
    const tail = entries.slice(Math.max(0, entries.findIndex(({ name }) => name === from)))
    let characters = 0
    const tools = tail.filter((tool, at) =>
      (characters += JSON.stringify(tool).length) <= maxPageCharacters || at === 0
    )
    const next = tail[tools.length]?.name
    return Effect.succeed({
      answer: { tools, ...(next === undefined ? {} : { next_from: next }) },
      notes: [
        entries.length === 0
          ? "All tools in this group are already listed."
          : "Call these tools by name. If this client calls only listed tools, add list=all to the connection URL.",
        ...(next === undefined ? [] : [`To get more tools, call again with from=${next}.`])
      ]
    })
  })
