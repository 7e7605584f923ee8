/** Adds the assistants' tool calls. */
import { isolateTable } from "../rowSecurity.ts"

const text = `text collate "C"`

export const assistantCalls = (schema: string): ReadonlyArray<string> => {
  const table = (name: string) => `"${schema}".${name}`
  return [
    `create table ${table("assistant_calls")} (
      org_id ${text} not null references ${table("orgs")} (id),
      id ${text} not null,
      at bigint not null,
      caller_kind ${text} not null,
      caller_id ${text} not null,
      operation ${text} not null,
      outcome ${text} not null,
      booking_id ${text},
      primary key (org_id, id)
    )`,
    `create index assistant_calls_by_time on ${table("assistant_calls")} (org_id, at, id)`,
    `create index assistant_calls_over on ${table("assistant_calls")} (at)`,
    ...isolateTable(schema, "assistant_calls", "org_id")
  ]
}
